import FleetEngineToken

/// What to do, as each code's findings say it, in the order of the corpus.
extension BrokenToken {
    static let fixes: [TokenFinding.Code: [String]] = [
        .empty: [giveJWT],
        .accessToken: [
            "give apps a JWT that a service account signed; an access token is for calling the IAM API that signs one"
        ],
        .apiKey: ["leave it in the map's settings, and give Fleet Engine a JWT that a service account signed"],
        .refreshToken: ["keep it secret, and give Fleet Engine a JWT that a service account signed"],
        .otherScheme: ["send Authorization: Bearer and the JWT"],
        .keyMaterial: ["keep a private key secret, and give it as --key FILE if it is to verify a token"],
        .noTokenInJSON: [giveJWT, "give the whole answer, or the token alone"],
        .severalTokens: ["inspect one after the other"],
        .notThreeParts: [giveJWT, "copy the whole token: header, payload and signature"],
        .notBase64URL: [
            "leave the = out, as RFC 7515 section 2 says", "write - for + and _ for /",
            "copy the token anew, without marks", "copy the whole token", "copy the token as it was signed",
        ],
        .notJSON: ["encode the UTF-8 of a JSON object"],
        .repeatedMember: ["write each name once"],
        .notObject: ["encode a JSON object"],
        .signatureMissing: ["sign it with the service account's key by RS256"],
        .signatureLength: ["copy the whole token, or sign by RS256", "see to it that this key belongs to the account"],
        .brokenApart: ["see to it that the app sends the token without it"],
        .algorithmMissing: [signByRS256],
        .algorithmNone: [signByRS256],
        .algorithmNotRS256: [signByRS256],
        .typeNotJWT: ["set typ to \"JWT\""],
        .keyIDMissing: ["set kid to the private_key_id of the key file, or to the keyId in the answer of signJwt"],
        .criticalExtension: ["leave crit out"],
        .idToken: ["give Fleet Engine a JWT that a service account signed for it, with authorization"],
        .firebaseToken: ["let the back end verify it and hand out a Fleet Engine token in return"],
        .accessTokenRequest: ["give Fleet Engine a JWT that a service account signed for it, with authorization"],
        .issuerMissing: [setIssuer],
        .issuerNotServiceAccount: [setIssuer],
        .defaultAccount: ["sign with an account of its own that has one Fleet Engine role"],
        .subjectMissing: [setIssuer],
        .subjectUnlikeIssuer: [setIssuer],
        .audienceMissing: [setAudience],
        .audienceArray: [setAudience],
        .audienceWithoutSlash: [setAudience],
        .audienceInOtherCase: [setAudience],
        .audienceNotHTTPS: [setAudience],
        .audienceOtherService: [setAudience],
        .audienceWrong: [setAudience],
        .timeMissing: [setTimes],
        .timeNotNumber: [setTimes],
        .timeFractional: [setTimes],
        .timeInMilliseconds: ["divide by 1000 and leave the fraction out"],
        .timeOutOfRange: [setTimes],
        .expired: ["fetch a new token before exp; one that is kept must be thrown away in time"],
        .expiresTooLate: [
            "set exp to at most an hour from now, better five minutes less, and look at this machine's clock"
        ],
        .expiresBeforeIssued: [setTimes],
        .lifetimeTooLong: ["set exp to iat + 3600"],
        .issuedInFuture: ["set the signing machine's clock, and set iat back by five minutes"],
        .notYetValid: ["leave nbf out; Fleet Engine does not ask for it"],
        .authorizationMissing: [addAuthorization],
        .authorizationMisspelled: ["write authorization, all in lower case"],
        .authorizationNotObject: [addAuthorization],
        .authorizationEmpty: ["put one of tripid, vehicleid, deliveryvehicleid, taskid, trackingid or taskids into it"],
        .scopeInstead: [addAuthorization],
        .claimMisplaced: ["move it into authorization, as tripid"],
        .claimMisspelled: [
            "write tripid, all in lower case", "write deliveryvehicleid, all in lower case",
            "write vehicleid, all in lower case",
        ],
        .claimNotString: ["write the id between quotation marks"],
        .taskIDsNotArray: ["write an array of strings, such as [\"task-1\"]"],
        .taskIDsEmpty: ["name at least one task"],
        .wildcardAmongTasks: ["write [\"*\"] alone, or ids alone"],
        .taskIDsUnlikeOurs: ["name each task once, and no more than 500 in one token"],
        .idRefused: ["use the id that the trip, vehicle or task has in Fleet Engine"],
        .idUnwise: ["use the id that the trip, vehicle or task has in Fleet Engine"],
        .conflictingClaims: ["sign a token for each"],
        .unknownCombination: ["use the claims of one kind, such as tripid and vehicleid both \"*\" for a server"],
        .wildcard: ["keep this token on your servers and operators' pages, never on a phone"],
        .unknownPrivateClaim: ["use tripid, vehicleid, deliveryvehicleid, taskid, trackingid or taskids"],
        .unknownClaim: ["nothing needs to be done"],
        .keyIDUnlikeKey: ["set kid to the file's private_key_id", "give the key file that signed the token"],
        .issuerUnlikeKey: ["set iss and sub to the file's client_email", "give the key file that signed the token"],
    ]

    private static let setIssuer = "set iss and sub to the client_email of the key file"
    private static let setAudience = "set aud to the one string \"https://fleetengine.googleapis.com/\""
    private static let setTimes = "write iat and exp as whole seconds since 1970, exp 3600 or less after iat"
    private static let addAuthorization =
        "add authorization, an object with the private claims, such as {\"tripid\": \"ID\"}"
    private static let signByRS256 = "sign with the service account's RSA key, and set alg to \"RS256\""
    private static let giveJWT =
        "give the JWT that a service account signed for Fleet Engine; its text begins with eyJ and has two dots"
}
