/// Headers and registered claims.
extension BrokenToken {
    static let headers: [BrokenToken] = [
        BrokenToken(
            header: "alg", nil,
            "refused alg_missing: alg is missing: the header does not name the signature's algorithm"),
        BrokenToken(header: "alg", #""None""#, "refused alg_none: alg is \"none\": the token is not signed"),
        BrokenToken(
            header: "alg", #""HS256""#,
            "refused alg_not_rs256: alg is \"HS256\", which signs with a shared secret; expected \"RS256\""),
        BrokenToken(header: "alg", #""ES256""#, "refused alg_not_rs256: alg is \"ES256\"; expected \"RS256\""),
        BrokenToken(header: "alg", "256", "refused alg_not_rs256: alg is 256; expected \"RS256\""),
        BrokenToken(header: "typ", nil, "warning typ_not_jwt: typ is missing from the header"),
        BrokenToken(header: "typ", #""at+jwt""#, "warning typ_not_jwt: typ is \"at+jwt\"; expected \"JWT\""),
        BrokenToken(
            header: "kid", nil,
            "refused kid_missing: kid is missing: Google finds the key that verifies the token by it"),
        BrokenToken(
            header: "kid", #""""#,
            "refused kid_missing: kid is empty: Google finds the key that verifies the token by it"),
        BrokenToken(header: "kid", "7", "refused kid_missing: kid is 7; expected a string"),
        BrokenToken(
            header: "crit", #"["b64"]"#,
            "refused crit_unknown: crit names extensions: a reader must understand them or refuse the token (RFC "
                + "7515 section 4.1.11)"
        ),
        BrokenToken(
            header: "jku", #""https://keys.example""#,
            "note unknown_claim: the header has \"jku\", which Fleet Engine does not need"),
    ]

    static let registered: [BrokenToken] = [
        BrokenToken(
            claim: "iss", nil, "refused iss_missing: iss is missing: it is unknown whose key verifies the token"),
        BrokenToken(
            claim: "iss", #""someone@example.com""#,
            "refused iss_not_service_account: iss is \"someone@example.com\"; expected the e-mail address of a "
                + "service account (NAME@….gserviceaccount.com)",
            "refused sub_unlike_iss: sub is \"rider@some-project.iam.gserviceaccount.com\"; expected the same value "
                + "as in iss"
        ),
        BrokenToken(claim: "sub", nil, "refused sub_missing: sub is missing; expected the same value as in iss"),
        BrokenToken(
            claim: "sub", #""user-7""#, "refused sub_unlike_iss: sub is \"user-7\"; expected the same value as in iss"),
        BrokenToken(
            "the account of Compute Engine",
            TokenDraft { draft in
                for name in ["iss", "sub"] { draft.claims[name] = #""1-compute@developer.gserviceaccount.com""# }
            }.token,
            "warning default_account: iss is Compute Engine's default service account, which usually has the Editor "
                + "role: for it Fleet Engine ignores the claims that restrict a token"
        ),
        BrokenToken(claim: "aud", nil, "refused aud_missing: aud is missing: the token is for no service"),
        BrokenToken(
            claim: "aud", #""https://fleetengine.googleapis.com""#,
            "refused aud_without_slash: aud has no slash at its end"),
        BrokenToken(
            claim: "aud", #"["https://fleetengine.googleapis.com/"]"#,
            "refused aud_array: aud is an array; expected one string"),
        BrokenToken(
            claim: "aud", #""https://FleetEngine.googleapis.com/""#,
            "refused aud_case: aud is \"https://FleetEngine.googleapis.com/\"; expected lower case only"),
        BrokenToken(
            claim: "aud", #""HTTPS://FLEETENGINE.GOOGLEAPIS.COM""#,
            "refused aud_case: aud is \"HTTPS://FLEETENGINE.GOOGLEAPIS.COM\"; expected lower case only"),
        BrokenToken(
            claim: "aud", #""http://fleetengine.googleapis.com/""#,
            "refused aud_not_https: aud is \"http://fleetengine.googleapis.com/\"; expected https instead of http"),
        BrokenToken(
            claim: "aud", #""https://routes.googleapis.com/""#,
            "refused aud_other_service: aud is \"https://routes.googleapis.com/\", another Google service; expected "
                + "Fleet Engine"
        ),
        BrokenToken(
            claim: "aud", #""https://fleetengine.googleapis.com/v1/""#,
            "refused aud_wrong: aud is \"https://fleetengine.googleapis.com/v1/\"; expected Fleet Engine"),
        BrokenToken(claim: "aud", "null", "refused aud_wrong: aud is null; expected Fleet Engine"),
        BrokenToken(
            claim: "jti", #""7""#,
            "note unknown_claim: the token has the claim \"jti\", which Fleet Engine does not need"),
        BrokenToken(
            claim: "a\\u001b[2J\\u202e", "1",
            #"note unknown_claim: the token has the claim "a\u001b[2J\u202e", which Fleet Engine does not need"#),
    ]

    static let meantForOthers: [BrokenToken] = [
        BrokenToken(
            "an ID token of Google",
            TokenDraft {
                $0.claims = [
                    "iss": #""https://accounts.google.com""#, "sub": #""1057""#,
                    "aud": #""4.apps.googleusercontent.com""#,
                    "iat": "1699999990", "exp": "1700003590",
                ]
            }.token,
            "refused id_token: this is a Google ID token: it says who a user is, not what the user may see",
            "refused iss_not_service_account: iss is \"https://accounts.google.com\"; expected the e-mail address of "
                + "a service account (NAME@….gserviceaccount.com)",
            "refused sub_unlike_iss: sub is \"1057\"; expected the same value as in iss",
            "refused aud_wrong: aud is \"4.apps.googleusercontent.com\"; expected Fleet Engine", missing),
        BrokenToken(
            "a custom token of Firebase",
            TokenDraft {
                $0.claims["aud"] =
                    #""https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit""#
                $0.claims["authorization"] = nil
            }.token,
            "refused firebase_token: this is a Firebase Authentication token: it identifies an app's user to your "
                + "back end",
            "refused aud_other_service: aud is "
                + "\"https://identitytoolkit.googleapis.com/google.identity.identityt\"…, another Google "
                + "service; expected Fleet Engine",
            missing),
        BrokenToken(
            "a request for an access token",
            TokenDraft {
                $0.claims["aud"] = #""https://oauth2.googleapis.com/token""#
                $0.claims["scope"] = #""https://www.googleapis.com/auth/cloud-platform""#
                $0.claims["authorization"] = nil
            }.token,
            "refused access_token_request: this is an assertion: a service account sends it to Google's token "
                + "endpoint to get an access token",
            "refused aud_other_service: aud is \"https://oauth2.googleapis.com/token\", another Google service; "
                + "expected Fleet Engine",
            "refused scope_instead: the token has scope, as an access token does; expected authorization, which "
                + "Fleet Engine reads"
        ),
    ]

    private static let missing =
        "refused authorization_missing: authorization is missing: Fleet Engine answers \"JWT does not contain any "
        + "scopes.\""
}
