import FleetEngineToken

/// What is wrong with a bearer token: a stable code with nothing of the token in it.
package enum BearerTokenFault: String, Error, CaseIterable, Sendable {
    // The parts.
    case tooLong = "too_long"
    case notThreeParts = "not_three_parts"
    case encrypted
    case notBase64URL = "not_base64url"
    case notJSON = "not_json"
    case repeatedMember = "repeated_member"
    case nestedTooDeep = "nested_too_deep"
    case notObject = "not_object"

    // The header.
    case criticalExtension = "crit"
    case unencodedPayload = "b64"
    case algorithmMalformed = "alg_malformed"
    case algorithmNotAllowed = "alg_not_allowed"
    case algorithmNotOfKey = "alg_not_of_key"
    case typeUnexpected = "typ_unexpected"
    case keyIDMalformed = "kid_malformed"
    case keyIDMissing = "kid_missing"
    case keyUnknown = "kid_unknown"

    // Who made it.
    case issuerMalformed = "iss_malformed"
    case issuerUnknown = "iss_unknown"
    case tenantWrong = "tid_wrong"
    case subjectMalformed = "sub_malformed"
    case headerUnexpected = "header_unexpected"
    case keysMissing = "keys_missing"
    case signatureWrong = "signature_wrong"
    case signatureOfUnnamedKey = "signature_of_unnamed_key"

    // For whom and when.
    case audienceMissing = "aud_missing"
    case audienceMalformed = "aud_malformed"
    case audienceWrong = "aud_wrong"
    case expiryMissing = "exp_missing"
    case expiryMalformed = "exp_malformed"
    case expired
    case notBeforeMalformed = "nbf_malformed"
    case notYetValid = "not_yet_valid"
    case issuedAtMalformed = "iat_malformed"
    case issuedInFuture = "issued_in_future"

    // Whose.
    case principalTooLong = "principal_too_long"

    /// Whether the token may be valid by a key of the issuer that has not been fetched yet.
    package var mayBeOfNewKey: Bool {
        switch self {
        case .keysMissing, .keyUnknown, .signatureOfUnnamedKey: true
        default: false
        }
    }

    /// The fault that an error of the structure is.
    init(_ error: CompactJWSError) {
        self =
            switch error {
            // A JWE has five parts (RFC 7516 section 3.1).
            case .notThreeParts(5): .encrypted
            case .notThreeParts: .notThreeParts
            case .notBase64URL: .notBase64URL
            case .notObject: .notObject
            case .notJSON(_, let error):
                switch error.problem {
                case .repeatedName: .repeatedMember
                case .tooDeep: .nestedTooDeep
                default: .notJSON
                }
            }
    }
}
