import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// Verifies bearer tokens (RFC 6750) that are JWTs of configured issuers, with the keys that are handed in for each.
///
/// Of a token's header `alg`, `kid`, `typ`, `crit` and `b64` are read and nothing else: `jku`, `x5u`, `jwk` and `x5c`,
/// by which a token names its own key, are left alone as RFC 7515 allows. Some identity providers send them in honest
/// tokens, and where no code reads them none can follow them.
package final class BearerTokenVerifier: Sendable {
    /// Longer tokens are refused unread.
    package static let maxTokenBytes = 16 * 1024

    /// Few enough to be looked through.
    private let issuers: [TrustedIssuer]
    /// Nil for all.
    private let claimNames: [JSONName]?
    private let cache: EntryCache<BearerToken.End, VerifiedToken>
    private let headers = KnownHeaders()

    /// A verifier without keys, which remembers tokens it found right in at most so many bytes; throws where two
    /// policies are for the same issuer. Issuers of a former verifier are kept by name, policy, keys and all: both have the
    /// same keys of them from then on, whichever of both is handed new ones. Where `claims` are named, a principal has no
    /// others: most of what a token says is read by nobody, and would take most of the room that remembering it takes.
    package init(
        issuers policies: [IssuerPolicy], keeping kept: Set<String> = [], of former: BearerTokenVerifier? = nil,
        claims: Set<JSONName>? = nil, cacheBytes: Int = 16 << 20
    ) throws(IssuerPolicyError) {
        var issuers: [TrustedIssuer] = []
        for policy in policies {
            guard issuers.named(policy.issuer) == nil else { throw .repeatedIssuer(policy.issuer) }
            let known = kept.contains(policy.issuer) ? former?.issuers.named(policy.issuer) : nil
            issuers.append(known ?? TrustedIssuer(policy))
        }
        self.issuers = issuers
        claimNames = claims.map { Array($0) }
        cache = EntryCache(maxBytes: cacheBytes)
    }

    /// Takes an issuer's keys in place of the former ones: no token that comes once this has returned counts by a former
    /// key, though it was verified before. All the issuer's tokens are verified anew, so the same keys should not be
    /// handed in again. An issuer that is not configured has no keys.
    package func replaceKeys(of issuer: String, with keys: JWKSet) {
        issuers.named(issuer)?.replaceKeys(with: IssuerKeys(keys))
    }

    /// Lets go of an issuer's keys, and of whatever was verified by them.
    package func removeKeys(of issuer: String) {
        issuers.named(issuer)?.replaceKeys(with: nil)
    }

    /// The caller whom the token proves at `now`, in seconds since the epoch; throws why it proves none.
    package func principal(of token: [UInt8], at now: Int64) throws(BearerTokenRefusal) -> Principal {
        let token = BearerToken(token)
        if let known = knownPrincipal(of: token, at: now) { return known }
        return try verifiedPrincipal(of: token, at: now)
    }

    /// The caller whom the token proves at `now`, if it was verified before; nil tells nothing.
    package func knownPrincipal(of token: BearerToken, at now: Int64) -> Principal? {
        guard let known = cache.entry(token.end, at: now), known.digest == token.digest else { return nil }
        // A clock set back may stand before the token's beginning.
        let counts: Void? = try? known.times.check(at: now, leeway: known.issuer.policy.leeway)
        return counts.map { known.principal }
    }

    /// The caller whom the token proves at `now`, verified whether or not it was before; throws why it proves none.
    package func verifiedPrincipal(of token: BearerToken, at now: Int64) throws(BearerTokenRefusal) -> Principal {
        guard token.bytes.count <= Self.maxTokenBytes else { throw BearerTokenRefusal(fault: .tooLong, issuer: nil) }
        let verified = try verify(token.bytes, at: now)
        cache.insert(verified, token.end, at: now)
        return verified.principal
    }

    /// Tokens that are remembered now, and the bytes they are reckoned at.
    package var remembered: (tokens: Int, bytes: Int) { (cache.count, cache.bytes) }

    private func verify(_ token: [UInt8], at now: Int64) throws(BearerTokenRefusal) -> VerifiedToken {
        let parts: CompactJWS
        do throws(CompactJWSError) {
            parts = try CompactJWS(parsing: token, knowing: headers.members)
        } catch {
            throw BearerTokenRefusal(fault: BearerTokenFault(error), issuer: nil)
        }
        let issuer: TrustedIssuer
        do throws(BearerTokenFault) {
            issuer = try self.issuer(of: parts)
        } catch {
            throw BearerTokenRefusal(fault: error, issuer: nil)
        }
        do throws(BearerTokenFault) {
            let verified = try issuer.verify(parts, of: token, at: now, keeping: claimNames)
            headers.remember(parts.encodedHeader, parts.header)
            return verified
        } catch {
            throw BearerTokenRefusal(fault: error, issuer: issuer.policy.issuer)
        }
    }

    private func issuer(of token: borrowing CompactJWS) throws(BearerTokenFault) -> TrustedIssuer {
        guard case .string(let name) = token.claims["iss"] else { throw .issuerMalformed }
        guard let issuer = issuers.named(name) else { throw .issuerUnknown }
        return issuer
    }
}

extension [TrustedIssuer] {
    /// The one whose name has these bytes.
    fileprivate func named(_ name: String) -> TrustedIssuer? {
        first { $0.policy.issuer.hasSameBytes(as: name) }
    }
}
