/// What to do, as each code's findings say it, in the order of the corpus.
extension BrokenToken {
    static let fixes: [String: [String]] = [
        "empty": [
            giveJWT, "give the JWT after Bearer; if a shell variable holds it, set the variable first",
        ],
        "access_token": [
            "give apps a JWT that a service account signed; an access token is for calling the IAM API that signs one"
        ],
        "api_key": [
            "keep it for the map's settings, and give Fleet Engine a JWT that a service account signed",
            "remove key= from the URL, and add -H 'Authorization: Bearer TOKEN'",
        ],
        "refresh_token": ["keep it secret, and give Fleet Engine a JWT that a service account signed"],
        "provider_api_key": [
            "get a token with it, curl -H 'Authorization: Bearer KEY' http://HOST/token?tripID=ID; if others saw the "
                + "key, "
                + "replace it with token-provider api-key new"
        ],
        "bearer_twice": ["send Bearer once; if a program adds it, give that program the JWT alone"],
        "unexpanded_variable": [
            "put it between double quotes instead of single quotes, and set the variable first"
        ],
        "no_credentials": ["add -H 'Authorization: Bearer TOKEN' to the command"],
        "error_answer": [
            "send the id that Fleet Engine knows, percent-encoded",
            "run token-provider explain; add a rule that allows this token",
            "do what the error says, or ask the operator of token-provider: its log has the reason",
            "set kinds.server.credentials",
        ],
        "other_scheme": ["send Authorization: Bearer and the JWT"],
        "key_material": ["keep a private key secret; to verify a token with a key, give its file with --key FILE"],
        "no_token_in_json": [giveJWT, "give the whole answer, or the token alone"],
        "several_tokens": ["inspect one token at a time"],
        "not_three_parts": [
            giveJWT, "copy the whole token: header, payload and signature",
            "\(giveJWT); of Auth0, ask for a token with an audience",
        ],
        "not_base64url": [
            "remove the =, as RFC 7515 section 2 requires", "write - for + and _ for /",
            "copy the token again, without other characters", "copy the whole token", "copy the token as it was signed",
        ],
        "not_json": ["encode the UTF-8 of a JSON object"],
        "repeated_member": ["write each name once"],
        "not_object": ["encode a JSON object"],
        "signature_missing": ["sign it with the service account's key by RS256"],
        "signature_length": [
            "copy the whole token, or sign by RS256", "make sure that this key belongs to the account",
        ],
        "broken_apart": ["make sure that the app sends the token without it"],
        "alg_missing": [signByRS256],
        "alg_none": [signByRS256],
        "alg_not_rs256": [signByRS256],
        "typ_not_jwt": ["set typ to \"JWT\""],
        "kid_missing": ["set kid to the private_key_id of the key file, or to the keyId in the answer of signJwt"],
        "crit_unknown": ["remove crit"],
        "id_token": ["give Fleet Engine a JWT that a service account signed for it, with authorization"],
        "firebase_token": ["let the back end verify it and return a Fleet Engine token"],
        "access_token_request": ["give Fleet Engine a JWT that a service account signed for it, with authorization"],
        "iss_missing": [setIssuer],
        "iss_not_service_account": [setIssuer],
        "default_account": ["sign with a separate account that has one Fleet Engine role"],
        "sub_missing": [setIssuer],
        "sub_unlike_iss": [setIssuer],
        "aud_missing": [setAudience],
        "aud_array": [setAudience],
        "aud_without_slash": [setAudience],
        "aud_case": [setAudience],
        "aud_not_https": [setAudience],
        "aud_other_service": [setAudience],
        "aud_wrong": [setAudience],
        "time_missing": [setTimes],
        "time_not_number": [setTimes],
        "time_fractional": [setTimes],
        "time_in_milliseconds": ["divide by 1000 and leave the fraction out"],
        "time_out_of_range": [setTimes],
        "expired": ["fetch a new token before exp, and discard cached tokens in time"],
        "expires_too_late": [
            "set exp to at most an hour from now, better five minutes less, and check this machine's clock"
        ],
        "expires_before_issued": [setTimes],
        "lifetime_too_long": ["set exp to iat + 3600"],
        "issued_in_future": ["correct the signing machine's clock, and set iat back by five minutes"],
        "not_yet_valid": ["remove nbf; Fleet Engine does not need it"],
        "authorization_missing": [addAuthorization],
        "authorization_misspelled": ["write authorization, all in lower case"],
        "authorization_not_object": [addAuthorization],
        "authorization_empty": ["add one of tripid, vehicleid, deliveryvehicleid, taskid, trackingid or taskids"],
        "scope_instead": [addAuthorization],
        "claim_misplaced": ["move it into authorization, as tripid"],
        "claim_misspelled": [
            "write tripid, all in lower case", "write deliveryvehicleid, all in lower case",
            "write vehicleid, all in lower case",
        ],
        "claim_not_string": ["write the id between quotation marks"],
        "taskids_not_array": ["write an array of strings, such as [\"task-1\"]"],
        "taskids_empty": ["name at least one task"],
        "wildcard_among_taskids": ["write [\"*\"] alone, or ids alone"],
        "taskids_unlike_ours": ["name each task once, and at most 500 in one token"],
        "id_refused": ["use the id that the trip, vehicle or task has in Fleet Engine"],
        "id_unwise": ["use the id that the trip, vehicle or task has in Fleet Engine"],
        "conflicting_claims": ["sign a token for each"],
        "unknown_combination": ["use the claims of one kind, such as tripid and vehicleid both \"*\" for a server"],
        "wildcard": ["keep this token on your servers and operators' pages, never on a phone"],
        "unknown_private_claim": ["use tripid, vehicleid, deliveryvehicleid, taskid, trackingid or taskids"],
        "unknown_claim": ["nothing needs to be done"],
        "kid_unlike_key": ["set kid to the file's private_key_id", "give the key file that signed the token"],
        "iss_unlike_key": ["set iss and sub to the file's client_email", "give the key file that signed the token"],
    ]

    private static let setIssuer = "set iss and sub to the client_email of the key file"
    private static let setAudience = "set aud to the one string \"https://fleetengine.googleapis.com/\""
    private static let setTimes = "write iat and exp as whole seconds since 1970, exp at most 3600 after iat"
    private static let addAuthorization =
        "add authorization, an object with the private claims, such as {\"tripid\": \"ID\"}"
    private static let signByRS256 = "sign with the service account's RSA key, and set alg to \"RS256\""
    private static let giveJWT =
        "give the JWT that a service account signed for Fleet Engine; it begins with eyJ and has two dots"
}
