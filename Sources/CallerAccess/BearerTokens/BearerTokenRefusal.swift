/// Why a bearer token proves nothing: for the log, not for the client.
package struct BearerTokenRefusal: Error, Hashable, Sendable {
    /// What is wrong with it.
    package let fault: BearerTokenFault
    /// The issuer, as it is configured; nil where the token got no further than to name none of them.
    package let issuer: String?

    /// One sentence: what was wrong and what was expected, with nothing of the token.
    package var sentence: String {
        let whose = issuer.map { " of issuer \($0)" } ?? ""
        return "the bearer token\(whose) \(fault.phrase)"
    }
}

extension BearerTokenFault {
    /// The sentence's predicate.
    fileprivate var phrase: String {
        switch self {
        case .tooLong: "is longer than \(BearerTokenVerifier.maxTokenBytes) bytes"
        case .notThreeParts: "is not made of three parts with dots between them; expected a signed JWT"
        case .notBase64URL: "has a part that is not base64url without padding, in its one spelling (RFC 7515 section 2)"
        case .notJSON: "has a header or claims that are not JSON; expected a JSON object in UTF-8"
        case .repeatedMember: "has a member twice in its header or claims; expected each name once"
        case .nestedTooDeep: "has arrays and objects nested too deep in its header or claims; expected at most 16"
        case .notObject: "has a header or claims that are JSON but no object; expected an object"
        case .criticalExtension: "asks for extensions (crit); expected none (RFC 7515 section 4.1.11)"
        case .unencodedPayload: "says how its payload is encoded (b64); expected no such member (RFC 7797)"
        case .algorithmMalformed: "has no alg that is a string; expected one of the issuer's algorithms"
        case .algorithmNotAllowed: "has an alg that is not configured for its issuer"
        case .algorithmNotOfKey: "has another alg than its key is for"
        case .typeUnexpected: "has another typ than is configured for its issuer, or none"
        case .keyIDMalformed: "has a kid that is no string; expected the id of one of the issuer's keys"
        case .keyIDMissing: "has no kid, and the issuer has not exactly one key; expected the id of one of them"
        case .keyUnknown: "has a kid that no key of the issuer has; expected the id of one of them"
        case .issuerMalformed: "has no iss that is a string; expected one of the configured issuers"
        case .issuerUnknown: "has an iss that is not configured, compared byte for byte"
        case .keysMissing: "cannot be verified, since no keys of the issuer have been read"
        case .signatureWrong: "has a signature that its issuer's key did not make"
        case .signatureOfUnnamedKey: "has no kid, and a signature that its issuer's only key did not make"
        case .audienceMissing: "has no aud; expected one of the issuer's configured audiences"
        case .audienceMalformed: "has an aud that is neither a string nor an array of strings"
        case .audienceWrong: "has an aud without any of the issuer's configured audiences, compared byte for byte"
        case .expiryMissing: "has no exp; expected an end"
        case .expiryMalformed: "has an exp that is no integer of seconds from 1970 to 9999"
        case .expired: "has expired"
        case .notBeforeMalformed: "has an nbf that is no integer of seconds from 1970 to 9999"
        case .notYetValid: "is not valid yet (nbf)"
        case .issuedAtMalformed: "has an iat that is no integer of seconds from 1970 to 9999"
        case .issuedInFuture: "was issued in the future (iat)"
        }
    }
}
