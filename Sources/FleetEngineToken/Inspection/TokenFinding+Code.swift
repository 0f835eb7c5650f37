extension TokenFinding {
    /// The stable words, in the order in which a token is read.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        // What was given instead of a token.
        case empty
        case accessToken = "access_token"
        case apiKey = "api_key"
        case refreshToken = "refresh_token"
        case otherScheme = "other_scheme"
        case keyMaterial = "key_material"
        case noTokenInJSON = "no_token_in_json"
        case severalTokens = "several_tokens"

        // The parts.
        case notThreeParts = "not_three_parts"
        case notBase64URL = "not_base64url"
        case notJSON = "not_json"
        case repeatedMember = "repeated_member"
        case notObject = "not_object"
        case signatureMissing = "signature_missing"
        case signatureLength = "signature_length"
        case brokenApart = "broken_apart"

        // The header.
        case algorithmMissing = "alg_missing"
        case algorithmNone = "alg_none"
        case algorithmNotRS256 = "alg_not_rs256"
        case typeNotJWT = "typ_not_jwt"
        case keyIDMissing = "kid_missing"
        case criticalExtension = "crit_unknown"

        // Tokens that are meant for somebody else.
        case idToken = "id_token"
        case firebaseToken = "firebase_token"
        case accessTokenRequest = "access_token_request"

        // The registered claims.
        case issuerMissing = "iss_missing"
        case issuerNotServiceAccount = "iss_not_service_account"
        case defaultAccount = "default_account"
        case subjectMissing = "sub_missing"
        case subjectUnlikeIssuer = "sub_unlike_iss"
        case audienceMissing = "aud_missing"
        case audienceArray = "aud_array"
        case audienceWithoutSlash = "aud_without_slash"
        case audienceInOtherCase = "aud_case"
        case audienceNotHTTPS = "aud_not_https"
        case audienceOtherService = "aud_other_service"
        case audienceWrong = "aud_wrong"

        // The times.
        case timeMissing = "time_missing"
        case timeNotNumber = "time_not_number"
        case timeFractional = "time_fractional"
        case timeInMilliseconds = "time_in_milliseconds"
        case timeOutOfRange = "time_out_of_range"
        case expired
        case expiresTooLate = "expires_too_late"
        case expiresBeforeIssued = "expires_before_issued"
        case lifetimeTooLong = "lifetime_too_long"
        case issuedInFuture = "issued_in_future"
        case notYetValid = "not_yet_valid"

        // The private claims.
        case authorizationMissing = "authorization_missing"
        case authorizationMisspelled = "authorization_misspelled"
        case authorizationNotObject = "authorization_not_object"
        case authorizationEmpty = "authorization_empty"
        case scopeInstead = "scope_instead"
        case claimMisplaced = "claim_misplaced"
        case claimMisspelled = "claim_misspelled"
        case claimNotString = "claim_not_string"
        case taskIDsNotArray = "taskids_not_array"
        case taskIDsEmpty = "taskids_empty"
        case wildcardAmongTasks = "wildcard_among_taskids"
        case taskIDsUnlikeOurs = "taskids_unlike_ours"
        case idRefused = "id_refused"
        case idUnwise = "id_unwise"
        case conflictingClaims = "conflicting_claims"
        case unknownCombination = "unknown_combination"
        case wildcard
        case unknownPrivateClaim = "unknown_private_claim"
        case unknownClaim = "unknown_claim"

        // The key that the token is verified with.
        case keyIDUnlikeKey = "kid_unlike_key"
        case issuerUnlikeKey = "iss_unlike_key"
    }
}
