import Concurrency
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// An issuer, its policy and the keys it has now.
final class TrustedIssuer: Sendable {
    let policy: IssuerPolicy
    private let keys = Guarded<IssuerKeys?>(nil)

    init(_ policy: IssuerPolicy) {
        self.policy = policy
    }

    /// Replaces the keys, by none if it is nil; the previous ones are retired.
    func replaceKeys(with new: IssuerKeys?) {
        keys.withLock { keys in
            keys?.retire()
            keys = new
        }
    }

    /// The ids of its keys now; none of keys that have no id.
    var keyIDs: [String] { keys.withLock { $0 }?.keyIDs ?? [] }

    /// The algorithms of the keys that a header's `kid` names, as far as they are for only one.
    func algorithms(ofKey keyID: JSONValue?) -> [String] { keys.withLock { $0 }?.algorithms(of: keyID) ?? [] }

    /// What the token says, once its signature, times and audience are verified. Its claims are checked last, so that a
    /// client without a key does not learn what is expected of them. Those of these names are kept, or all.
    func verify(
        _ token: borrowing CompactJWS, of bytes: [UInt8], at now: Int64, keeping names: [JSONName]?
    ) throws(BearerTokenFault) -> VerifiedToken {
        let keys = try signer(of: token)
        let times = try BearerTokenTimes(token.claims)
        try times.check(at: now, leeway: policy.leeway)
        try policy.checkSubject(of: token.claims)
        let tenant = try policy.tenant(of: token.claims)
        try policy.checkAudience(of: token.claims)
        let principal = Principal(
            name: try policy.name(in: token.claims), source: .jwt(issuer: policy.issuer, tenant: tenant),
            claims: names.map { token.claims.keeping($0) } ?? token.claims, expiresAt: times.expiresAt)
        return VerifiedToken(SHA256Digest(of: bytes), principal, times: times, issuer: self, keys: keys)
    }

    /// The keys of which one made the signature, by a header without what is not supported.
    func signer(of token: borrowing CompactJWS) throws(BearerTokenFault) -> IssuerKeys {
        guard token.header["crit"] == nil else { throw .criticalExtension }
        guard token.header["b64"] == nil else { throw .unencodedPayload }
        return try policy.isUnsigned ? unsigned(token) : verifySignature(of: token)
    }

    /// A signed token is none of the emulator's.
    private func unsigned(_ token: borrowing CompactJWS) throws(BearerTokenFault) -> IssuerKeys {
        guard token.header["alg"] == .string("none"), token.signature.isEmpty else { throw .algorithmNotAllowed }
        return .none
    }

    /// The keys of which one made the signature.
    private func verifySignature(of token: borrowing CompactJWS) throws(BearerTokenFault) -> IssuerKeys {
        let algorithm = try policy.algorithm(token.header["alg"])
        try policy.checkType(token.header["typ"])
        guard let keys = keys.withLock({ $0 }) else { throw .keysMissing }
        let (signature, input) = (token.signature, token.signingInput)
        let fitting = try keys.keys(token.header["kid"], for: algorithm)
        let isSigned = fitting.contains { key in
            policy.allows(key, for: token.claims) && key.key.verify(signature, of: input, by: algorithm)
        }
        guard isSigned else {
            guard token.header["kid"] != nil else { throw .signatureOfUnnamedKey }
            throw fitting.contains { $0.keyID != nil } ? .signatureWrong : .keyUnknown
        }
        return keys
    }
}
