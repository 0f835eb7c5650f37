import OpenSSLCrypto
import StrictJSON

/// Which tokens of an issuer are accepted; valid once it exists.
package struct IssuerPolicy: Equatable, Sendable {
    /// The most leeway, in seconds: a clock with a larger error needs fixing, and every second lengthens each token's life.
    package static let maxLeeway: Int64 = 300

    /// The placeholder of a tenant's id in an issuer of several.
    package static let tenantPart = "{tenantid}"

    /// What `iss` must be, byte for byte, once a tenant's id is in it.
    package let issuer: String
    /// The tenants whose tokens are accepted; none if the issuer has no such part.
    let tenants: [String]
    /// What `iss` may be: one text for each tenant, in their order.
    let names: [String]
    /// What the claim of the audience must be or hold one of, byte for byte.
    package let audiences: [String]
    /// The claim of the audience: `aud`, unless the issuer's tokens have another, such as `client_id` in Amazon Cognito's
    /// access tokens.
    package let audienceClaim: JSONName
    /// What `alg` must be one of; a token never chooses beyond them (RFC 8725 section 3.1).
    package let algorithms: [JWSAlgorithm]
    /// Seconds by which the issuer's clock may differ from ours.
    package let leeway: Int64
    /// What `typ` must be, such as `at+jwt` (RFC 9068); nil if any `typ` is accepted.
    package let type: String?
    /// The claim that is a caller's name.
    package let principal: ClaimPath
    /// The only header that has its tokens, in lower case; nil for `Authorization`.
    package let header: String?
    /// The SPIFFE trust domain whose JWT-SVIDs are accepted, which have no `iss` (JWT-SVID, section 3); nil for other tokens.
    let trustDomain: String?
    /// Whether its tokens are accepted without signatures.
    private(set) var isUnsigned = false

    /// A policy; throws the first setting that is invalid.
    package init(
        issuer: String, audiences: [String], algorithms: [JWSAlgorithm], leeway: Int64 = 60, type: String? = nil,
        principal: ClaimPath = .subject, audienceClaim: String = "aud", header: String? = nil, tenants: [String] = [],
        trustDomain: String? = nil
    ) throws(IssuerPolicyError) {
        guard !issuer.isEmpty else { throw .emptyIssuer }
        guard issuer.contains(Self.tenantPart) == !tenants.isEmpty else { throw .tenantsUnlike(issuer) }
        guard !audiences.isEmpty, !audiences.contains("") else { throw .noAudience }
        guard !algorithms.isEmpty else { throw .noAlgorithm }
        guard (0...Self.maxLeeway).contains(leeway) else { throw .leewayOutOfRange(leeway) }
        guard type != "" else { throw .emptyType }
        guard !audienceClaim.isEmpty else { throw .emptyAudienceClaim }
        // JWT-SVID, section 2.1.
        if trustDomain != nil, algorithms.contains(.edDSA) || algorithms.contains(.ed25519) { throw .algorithmOfNoSVID }
        (self.issuer, self.audiences, self.algorithms) = (issuer, audiences, algorithms)
        (self.leeway, self.type, self.principal) = (leeway, type, principal)
        self.audienceClaim = JSONName(audienceClaim)
        self.header = header
        (self.tenants, self.trustDomain) = (tenants, trustDomain)
        names = tenants.isEmpty ? [issuer] : tenants.map { issuer.replacing(Self.tenantPart, with: $0) }
    }

    /// The JWT-SVIDs of a SPIFFE trust domain; the caller's name is the SPIFFE id.
    package static func spiffe(
        _ trustDomain: String, audiences: [String], algorithms: [JWSAlgorithm], leeway: Int64 = 60,
        header: String? = nil
    ) throws(IssuerPolicyError) -> IssuerPolicy {
        guard SPIFFEID.isTrustDomain(trustDomain) else { throw .malformedTrustDomain }
        return try IssuerPolicy(
            issuer: SPIFFEID.own(trustDomain), audiences: audiences, algorithms: algorithms, leeway: leeway,
            header: header, trustDomain: trustDomain)
    }

    /// What `use` of its keys must be.
    package var keyUse: String { trustDomain == nil ? "sig" : "jwt-svid" }

    /// The tokens of the Firebase Auth emulator for a project, which nothing signs. For `demo` alone: settings make no such
    /// policy.
    package static func firebaseEmulator(project: String) throws(IssuerPolicyError) -> IssuerPolicy {
        guard ConfiguredName.isValid(project.utf8) else { throw .malformedProject }
        var policy = try IssuerPolicy(
            issuer: "https://securetoken.google.com/\(project)", audiences: [project], algorithms: [.rs256])
        policy.isUnsigned = true
        return policy
    }

    /// Whether a name is one of the issuer's.
    func isNamed(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }

    /// Whether a token is of the issuer, by its `iss` or, if it has none, by the trust domain in its `sub`.
    package func issued(_ claims: JSONObject) -> Bool {
        switch (claims["iss"], claims["sub"], trustDomain) {
        case (.string(let name), _, nil): isNamed(name)
        case (nil, .string(let subject), let trustDomain?): SPIFFEID.names(trustDomain, subject)
        default: false
        }
    }

    /// The subject of a JWT-SVID is a SPIFFE id.
    func checkSubject(of claims: JSONObject) throws(BearerTokenFault) {
        guard let trustDomain else { return }
        guard case .string(let subject) = claims["sub"], SPIFFEID.isWorkload(of: trustDomain, subject) else {
            throw .subjectMalformed
        }
    }

    /// Whether a key may have signed a token: of those that all tenants share, some are for one of them.
    func allows(_ key: JWK, for claims: JSONObject) -> Bool {
        guard !tenants.isEmpty, let owner = key.issuer, case .string(let name) = claims["iss"] else { return true }
        return [issuer, name].contains { $0.hasSameBytes(as: owner) }
    }

    /// The tenant in `iss`, which must be the one in `tid`; nil if the issuer has none.
    func tenant(of claims: JSONObject) throws(BearerTokenFault) -> String? {
        guard !tenants.isEmpty else { return nil }
        guard case .string(let tenant) = claims["tid"], case .string(let name) = claims["iss"],
            zip(tenants, names).contains(where: { $0.hasSameBytes(as: tenant) && $1.hasSameBytes(as: name) })
        else { throw .tenantWrong }
        return tenant
    }

    /// Whether a token counts there: what a proxy adds to each request must not be what a client sends.
    func takesTokens(in place: TokenPlace) -> Bool {
        switch place {
        case .authorization: header == nil
        case .header(let name): header == name
        case .anywhere: true
        }
    }

    /// The algorithm of a header, if it is one of the issuer's.
    func algorithm(_ value: JSONValue?) throws(BearerTokenFault) -> JWSAlgorithm {
        guard case .string(let text) = value else { throw .algorithmMalformed }
        guard let algorithm = algorithms.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
            throw .algorithmNotAllowed
        }
        return algorithm
    }

    /// `typ` is a media type: letters of either case, and `application/` may be left out (RFC 7515 section 4.1.9).
    func checkType(_ value: JSONValue?) throws(BearerTokenFault) {
        // JWT-SVID, section 2.3.
        if trustDomain != nil, let value, ![.string("JWT"), .string("JOSE")].contains(value) { throw .typeUnexpected }
        guard let type else { return }
        guard case .string(let text) = value, Self.mediaType(text).elementsEqual(Self.mediaType(type)) else {
            throw .typeUnexpected
        }
    }

    /// The audience is a string or an array of strings (RFC 7519 section 4.1.3).
    func checkAudience(of claims: JSONObject) throws(BearerTokenFault) {
        switch claims[audienceClaim] {
        case nil: throw .audienceMissing
        case .string(let text): guard isAudience(text) else { throw .audienceWrong }
        case .array(let elements):
            var isMeant = false
            for element in elements {
                guard case .string(let text) = element else { throw .audienceMalformed }
                isMeant = isMeant || isAudience(text)
            }
            guard isMeant else { throw .audienceWrong }
        default: throw .audienceMalformed
        }
    }

    /// The caller's name; empty if the claim is not a text.
    func name(in claims: JSONObject) throws(BearerTokenFault) -> String {
        guard case .string(let name) = principal.value(in: claims) else { return "" }
        guard name.utf8.count <= Principal.maxNameBytes else { throw .principalTooLong }
        return name
    }

    private func isAudience(_ text: String) -> Bool {
        audiences.contains { $0.hasSameBytes(as: text) }
    }

    private static func mediaType(_ text: String) -> ArraySlice<UInt8> {
        let lowerCase = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let prefix = "application/".utf8
        return lowerCase.starts(with: prefix) ? lowerCase.dropFirst(prefix.count) : lowerCase[...]
    }
}

/// Why settings are not a policy for issuers.
package enum IssuerPolicyError: Error, Hashable, Sendable {
    /// The issuer has no name.
    case emptyIssuer
    /// The issuer has the tenants' part without tenants, or the other way round.
    case tenantsUnlike(String)
    /// The list of audiences is empty, or one of them is.
    case noAudience
    /// The list of algorithms is empty.
    case noAlgorithm
    /// The leeway is negative or too long.
    case leewayOutOfRange(Int64)
    /// The type is empty.
    case emptyType
    /// The claim of the audience has no name.
    case emptyAudienceClaim
    /// A trust domain has other characters.
    case malformedTrustDomain
    /// JWT-SVIDs are never signed so.
    case algorithmOfNoSVID
    /// A project's id has other characters.
    case malformedProject
    /// Two policies are for the same issuer.
    case repeatedIssuer(String)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .emptyIssuer: "the issuer is empty; expected the text that iss holds"
        case .tenantsUnlike(let issuer):
            issuer.contains(IssuerPolicy.tenantPart)
                ? "the issuer is of any tenant; expected tenants, the ids of those whose tokens are accepted"
                : "the issuer has no \(IssuerPolicy.tenantPart) in its name; expected no tenants"
        case .noAudience: "the issuer has no audience or an empty one; expected what aud holds, at least one"
        case .noAlgorithm: "the issuer has no algorithm; expected at least one, such as RS256"
        case .leewayOutOfRange(let leeway):
            "the issuer's leeway is \(leeway) s; expected 0 to \(IssuerPolicy.maxLeeway)"
        case .emptyAudienceClaim:
            "the issuer's audience_claim is empty; expected the name of a claim, such as client_id"
        case .emptyType: "the issuer's type is empty; expected what typ holds, such as at+jwt"
        case .malformedTrustDomain:
            "the trust domain is malformed; expected lower-case letters, digits, dots, hyphens and underscores, without spiffe://"
        case .algorithmOfNoSVID: "EdDSA does not sign JWT-SVIDs; expected algorithms that begin with RS, ES or PS"
        case .malformedProject: "the project is not an id of Firebase; expected letters, digits and hyphens"
        case .repeatedIssuer(let issuer): "the issuer \(issuer) is configured twice; expected each once"
        }
    }
}
