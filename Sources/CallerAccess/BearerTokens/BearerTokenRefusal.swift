/// Why a bearer token is refused: for the log, not for the client.
package struct BearerTokenRefusal: Error, Sendable {
    /// What is wrong with it.
    package let fault: BearerTokenFault
    /// The issuer that the token names; nil if it names none of the configured ones.
    let trusted: TrustedIssuer?
    /// What the token says; nil if it could not be read.
    let content: RefusedContent?
    /// Whether only others may know who issued the token: it names no configured issuer, and nothing is wrong with its form.
    package let isOfOthers: Bool

    init(
        _ fault: BearerTokenFault, issuer: TrustedIssuer? = nil, content: RefusedContent? = nil,
        isOfOthers: Bool = false
    ) {
        (self.fault, trusted, self.content, self.isOfOthers) = (fault, issuer, content, isOfOthers)
    }

    /// The issuer, as it is configured; nil if the token names none of the configured ones.
    package var issuer: String? { trusted?.policy.issuer }

    /// One sentence: what was wrong and what was expected. It holds nothing of the token, so that refusals are counted by it.
    package var sentence: String {
        "\(subject) \(fault.predicate)"
    }

    /// The sentence with what the token says and what is configured. Many tokens are refused and few of these are read, so
    /// it is put together only when it is asked for.
    package var explanation: String {
        content?.predicate(of: fault, trusted).map { "\(subject) \($0)" } ?? sentence
    }

    private var subject: String { "the bearer token" + (issuer.map { " of issuer \($0)" } ?? "") }
}

extension BearerTokenFault {
    /// What is wrong and what was expected, without its subject.
    var predicate: String { phrase.problem + (phrase.expected.map { "; expected \($0)" } ?? "") }

    /// The sentence's predicate, and what was expected where that does not go without saying.
    var phrase: (problem: String, expected: String?) {
        switch self {
        case .tooLong: ("is longer than \(BearerTokenVerifier.maxTokenBytes) bytes", nil)
        case .notThreeParts: ("is not made of three parts with dots between them", "a signed JWT")
        case .encrypted: ("is encrypted", "a signed JWT: Auth0 encrypts tokens unless the app asks for an audience")
        case .notBase64URL: ("has a part that is not base64url without padding (RFC 7515 section 2)", nil)
        case .notJSON: ("has a header or claims that are not JSON", "a JSON object in UTF-8")
        case .repeatedMember: ("has a member twice in its header or claims", "each name once")
        case .nestedTooDeep:
            ("has arrays and objects nested too deep in its header or claims", "at most 16 levels")
        case .notObject: ("has a header or claims that are JSON but not an object", "an object")
        case .criticalExtension: ("asks for extensions", "no crit (RFC 7515 section 4.1.11)")
        case .unencodedPayload: ("says how its payload is encoded", "no b64 (RFC 7797)")
        case .algorithmMalformed: ("has no alg that is a string", "one of the issuer's algorithms")
        case .algorithmNotAllowed: ("has an alg that is not configured for its issuer", nil)
        case .algorithmNotOfKey: ("has another alg than its key is for", nil)
        case .typeUnexpected: ("has an unexpected typ", nil)
        case .keyIDMalformed: ("has a kid that is not a string", "the id of one of the issuer's keys")
        case .keyIDMissing: ("has no kid, and not exactly one key is for its alg", "the id of one of its keys")
        case .keyUnknown: ("names an unknown key", nil)
        case .issuerMalformed: ("has no iss that is a string", "one of the configured issuers")
        case .issuerUnknown: ("has an unknown issuer", nil)
        case .tenantWrong: ("has a tid that is not the tenant of its iss", nil)
        case .subjectMalformed: ("has a sub that is not a SPIFFE id", "spiffe://TRUST_DOMAIN/PATH")
        case .headerUnexpected: ("is in another header than its issuer's", nil)
        case .keysMissing: ("cannot be verified: no keys of the issuer have been read", nil)
        case .signatureWrong: ("has a signature that its issuer's key did not make", nil)
        case .signatureOfUnnamedKey: ("has no kid, and a signature that its issuer's only key did not make", nil)
        case .audienceMissing: ("has no aud", "one of the issuer's configured audiences")
        case .audienceMalformed: ("has a malformed aud", "a string or an array of strings")
        case .audienceWrong: ("is for another audience", nil)
        case .expiryMissing: ("has no exp", "when it expires")
        case .expiryMalformed: ("has a malformed exp", Self.time)
        case .expired: ("has expired", nil)
        case .notBeforeMalformed: ("has a malformed nbf", Self.time)
        case .notYetValid: ("is not valid yet (nbf)", nil)
        case .issuedAtMalformed: ("has a malformed iat", Self.time)
        case .issuedInFuture: ("was issued in the future (iat)", nil)
        case .principalTooLong:
            ("has a principal that is longer than \(Principal.maxNameBytes) bytes", "another principal claim")
        }
    }

    static let time = "seconds from 1970 to 9999"
}
