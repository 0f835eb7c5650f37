import FleetEngineToken
import OpenSSLSigner
import StrictJSON

/// What is signed with one key: tokens for Fleet Engine exactly as the daemon writes them now, of the kinds that the key is for, and
/// the key's probe.
///
/// An attacker who has taken over the daemon gets nothing else signed: no grant for which Google would give access to all that the
/// account may do, no token of a kind that is off, and none for later hours.
struct SignableTokens: Sendable {
    /// Seconds by which a token's time may be off: the clock may be stepped between the daemon's look at it and ours.
    private static let tolerance: Int64 = 120

    /// With the dot.
    private let header: [UInt8]
    /// How the payloads of each kind begin, and the most seconds that they span; nil for kinds of other keys.
    private let kinds: PerKind<(opening: JSONWriter, lifetime: Int64)?>
    private let probe: [UInt8]

    init(of signer: some TokenSigner, _ tokens: [KeyTerms.Tokens]) {
        header = TokenMinter.encodedHeader(keyID: signer.keyID)
        kinds = PerKind { kind in
            tokens.first { $0.kind == kind }.map { tokens in
                (TokenMinter.openPayload(account: signer.account, audience: tokens.audience), tokens.lifetime)
            }
        }
        probe = RS256Signer.probeText(keyID: signer.keyID)
    }

    /// Whether a message is one of them at this time, in seconds since the epoch.
    func contain(_ message: [UInt8], at now: Int64) -> Bool {
        if message == probe { return true }
        guard message.prefix(header.count).hasSameBytes(as: header[...]),
            let payload = try? Base64URL.decode(message.dropFirst(header.count)),
            case .object(let claims)? = try? JSONValue(parsing: payload),
            case .object(let authorization)? = claims["authorization"],
            case .integer(let issued)? = claims["iat"], case .integer(let expiry)? = claims["exp"]
        else { return false }
        let seconds = lifetime(from: issued, to: expiry, at: now)
        return PrivateClaims.candidates(in: authorization).contains { candidate in
            guard let seconds, let kind = kinds[candidate.kind], seconds <= kind.lifetime else { return false }
            return TokenMinter.payload(kind.opening, candidate, issued, expiry) == payload
        }
    }

    /// Seconds between times that a token of now can have.
    private func lifetime(from issued: Int64, to expiry: Int64, at now: Int64) -> Int64? {
        let isCurrent = (now - TokenPolicy.maxBackdate - Self.tolerance...now + Self.tolerance).contains(issued)
        guard isCurrent, (issued + 1...issued + TokenPolicy.maxLifetime).contains(expiry) else { return nil }
        return expiry - issued
    }
}
