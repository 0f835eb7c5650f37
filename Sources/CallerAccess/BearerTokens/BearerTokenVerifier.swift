import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// Verifies bearer tokens (RFC 6750) that are JWTs of configured issuers, with the keys that are handed in for each.
///
/// Of a token's header `alg`, `kid`, `typ`, `crit` and `b64` are read and nothing else: `jku`, `x5u`, `jwk` and `x5c`,
/// by which a token names its own key, are ignored as RFC 7515 allows. Some identity providers send them in valid
/// tokens, and code that does not read them cannot follow them.
package final class BearerTokenVerifier: Sendable {
    /// Longer tokens are refused without reading them.
    package static let maxTokenBytes = 16 * 1024
    /// What verified tokens may take, unless told otherwise.
    package static let usualCacheBytes = 16 << 20

    /// Few enough to be searched one by one.
    private let issuers: [TrustedIssuer]
    /// Nil for all.
    private let claimNames: [JSONName]?
    private let cache: EntryCache<BearerToken.End, VerifiedToken>
    private let headers = KnownHeaders()

    /// A verifier without keys, which caches verified tokens in at most so many bytes; throws if two policies are for the
    /// same issuer. Issuers of a previous verifier are kept by name, with their policy and keys: both verifiers share these
    /// keys from then on, whichever of both is given new ones. If `claims` are named, a principal has no others: no rule
    /// reads the rest of a token, which would take most of the cache's bytes.
    package init(
        issuers policies: [IssuerPolicy], keeping kept: Set<String> = [], of previous: BearerTokenVerifier? = nil,
        claims: Set<JSONName>? = nil, cacheBytes: Int = usualCacheBytes
    ) throws(IssuerPolicyError) {
        var issuers: [TrustedIssuer] = []
        for policy in policies {
            guard !issuers.contains(where: { $0.policy.names.contains(where: policy.isNamed) }) else {
                throw .repeatedIssuer(policy.issuer)
            }
            let known = kept.contains(policy.issuer) ? previous?.issuers.named(policy.issuer) : nil
            issuers.append(known ?? TrustedIssuer(policy))
        }
        self.issuers = issuers
        claimNames = claims.map { Array($0) }
        cache = EntryCache(maxBytes: cacheBytes)
    }

    /// Replaces or removes (nil) an issuer's keys: once this has returned, no token is accepted by a previous key, even if it
    /// was verified before. All the issuer's tokens are verified again, so do not pass the same keys again. An issuer that is
    /// not configured is ignored. It does not keep this verifier and its cache, but the issuer, which later verifiers may share.
    package func keyReplacement(of issuer: String) -> @Sendable (JWKSet?) -> Void {
        { [known = issuers.named(issuer)] keys in known?.replaceKeys(with: keys.map { IssuerKeys($0.keys) }) }
    }

    /// The caller that the token authenticates at `now`, in seconds since the epoch; throws why it is refused.
    package func principal(of token: [UInt8], at now: Int64) throws(BearerTokenRefusal) -> Principal {
        let token = BearerToken(token)
        if let known = knownPrincipal(of: token, at: now) { return known }
        return try verifiedPrincipal(of: token, at: now)
    }

    /// The caller that the token authenticates at `now`, if it was verified before; nil says nothing about the token.
    package func knownPrincipal(of token: BearerToken, at now: Int64) -> Principal? {
        guard let known = cache.entry(token.end, at: now), known.digest == token.digest,
            known.issuer.policy.takesTokens(in: token.place)
        else { return nil }
        // A clock that was set back may be before nbf.
        let isValid: Void? = try? known.times.check(at: now, leeway: known.issuer.policy.leeway)
        return isValid.map { known.principal }
    }

    /// The caller that the token authenticates at `now`, verified even if it was before; throws why it is refused.
    package func verifiedPrincipal(of token: BearerToken, at now: Int64) throws(BearerTokenRefusal) -> Principal {
        guard token.bytes.count <= Self.maxTokenBytes else { throw malformed(token.bytes, .tooLong) }
        let verified = try verify(token.bytes, in: token.place, at: now)
        cache.insert(verified, token.end, at: now)
        return verified.principal
    }

    /// Tokens that are cached now, and their estimated bytes.
    package var cached: (tokens: Int, bytes: Int) { (cache.count, cache.bytes) }

    private func verify(_ token: [UInt8], in place: TokenPlace, at now: Int64) throws(BearerTokenRefusal)
        -> VerifiedToken
    {
        let parts: CompactJWS
        do { parts = try CompactJWS(parsing: token, knowing: headers.members) } catch {
            throw malformed(token, BearerTokenFault(error))
        }
        let issuer: TrustedIssuer
        do { issuer = try self.issuer(of: parts) } catch {
            let isOfOthers = error == .issuerUnknown || parts.claims["iss"] == nil
            throw BearerTokenRefusal(error, content: content(of: parts, at: now), isOfOthers: isOfOthers)
        }
        do throws(BearerTokenFault) {
            guard issuer.policy.takesTokens(in: place) else { throw .headerUnexpected }
            let verified = try issuer.verify(parts, of: token, at: now, keeping: claimNames)
            headers.remember(parts.encodedHeader, parts.header)
            return verified
        } catch {
            throw BearerTokenRefusal(error, issuer: issuer, content: content(of: parts, at: now))
        }
    }

    private func malformed(_ token: [UInt8], _ fault: BearerTokenFault) -> BearerTokenRefusal {
        BearerTokenRefusal(fault, isOfOthers: !MalformedToken(token).claims(issuers: issuers))
    }

    /// References to what was read: a refusal builds no text until it is shown.
    func content(of token: borrowing CompactJWS, at now: Int64) -> RefusedContent {
        RefusedContent(header: token.header, claims: token.claims, issuers: issuers, now: now)
    }

    func issuer(of token: borrowing CompactJWS) throws(BearerTokenFault) -> TrustedIssuer {
        let claims = token.claims
        if let issuer = issuers.first(where: { $0.policy.issued(claims) }) { return issuer }
        guard case .string = claims["iss"] else { throw .issuerMalformed }
        throw .issuerUnknown
    }
}

extension [TrustedIssuer] {
    /// The one whose name has these bytes.
    fileprivate func named(_ name: String) -> TrustedIssuer? {
        first { $0.policy.issuer.hasSameBytes(as: name) }
    }
}
