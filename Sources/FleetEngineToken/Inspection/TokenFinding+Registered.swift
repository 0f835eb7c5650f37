import StrictJSON

/// `iss`, `sub`, `aud`, and tokens that are meant for somebody else.
extension TokenFinding {
    private static let mintAnother = "give Fleet Engine a JWT that a service account signed for it, with authorization"

    static let idToken = TokenFinding(
        .idToken, .refused, "iss", "this is an ID token of Google, which says who somebody is, not what he may see",
        fix: mintAnother)

    static let firebaseToken = TokenFinding(
        .firebaseToken, .refused, nil,
        "this is a token of Firebase Authentication, by which an app shows your back end who its user is",
        fix: "let the back end verify it and hand out a Fleet Engine token in return")

    static let accessTokenRequest = TokenFinding(
        .accessTokenRequest, .refused, "aud",
        "this is an assertion, with which a service account asks Google's token endpoint for an access token",
        fix: mintAnother)

    private static let setIssuer = "set iss and sub to the client_email of the key file"

    static let issuerMissing = TokenFinding(
        .issuerMissing, .refused, "iss", "iss is missing, so nobody knows whose key verifies the token", fix: setIssuer)

    static func issuerNotServiceAccount(_ value: JSONValue) -> TokenFinding {
        TokenFinding(
            .issuerNotServiceAccount, .refused, "iss",
            "iss is \(Quoted.value(value)), not the e-mail address of a service account (NAME@….gserviceaccount.com)",
            fix: setIssuer)
    }

    static func defaultAccount(_ account: DefaultServiceAccount) -> TokenFinding {
        TokenFinding(
            .defaultAccount, .warning, "iss",
            "iss is \(account.name), which usually holds the Editor role, for which Fleet Engine ignores the claims that "
                + "restrict a token",
            fix: "sign with an account of its own that has one Fleet Engine role")
    }

    static let subjectMissing = TokenFinding(
        .subjectMissing, .refused, "sub", "sub is missing; Fleet Engine expects the same as in iss", fix: setIssuer)

    static func subjectUnlikeIssuer(_ value: JSONValue) -> TokenFinding {
        TokenFinding(
            .subjectUnlikeIssuer, .refused, "sub", "sub is \(Quoted.value(value)), unlike iss", fix: setIssuer)
    }

    private static let setAudience = "set aud to the one string \"\(TokenPolicy.fleetEngineAudience)\""

    static let audienceMissing = TokenFinding(
        .audienceMissing, .refused, "aud", "aud is missing, so the token is for nobody", fix: setAudience)

    static let audienceArray = TokenFinding(
        .audienceArray, .refused, "aud", "aud is an array", fix: setAudience)

    static let audienceWithoutSlash = TokenFinding(
        .audienceWithoutSlash, .refused, "aud", "aud has no slash at its end", fix: setAudience)

    static func audienceInOtherCase(_ text: String) -> TokenFinding {
        TokenFinding(
            .audienceInOtherCase, .refused, "aud", "aud is \(Quoted.text(text)), which is not all in lower case",
            fix: setAudience)
    }

    static func audienceNotHTTPS(_ text: String) -> TokenFinding {
        TokenFinding(
            .audienceNotHTTPS, .refused, "aud", "aud is \(Quoted.text(text)), with http instead of https",
            fix: setAudience)
    }

    static func audienceOtherService(_ text: String) -> TokenFinding {
        TokenFinding(
            .audienceOtherService, .refused, "aud", "aud is \(Quoted.text(text)), another service of Google's",
            fix: setAudience)
    }

    static func audienceWrong(_ value: JSONValue) -> TokenFinding {
        TokenFinding(
            .audienceWrong, .refused, "aud", "aud is \(Quoted.value(value)), not Fleet Engine", fix: setAudience)
    }
}
