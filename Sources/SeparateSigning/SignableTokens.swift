import FleetEngineToken
import OpenSSLSigner
import StrictJSON

/// What is signed with one key: tokens for Fleet Engine as the daemon mints them now, and the key's probe.
///
/// An attacker who has taken over the daemon gets nothing else signed: no grant for which Google would give access to all that the
/// account may do, and no token for later hours.
struct SignableTokens: Sendable {
    /// Seconds by which a token's time may be off: the clock may be stepped between the daemon's look at it and ours.
    private static let tolerance: Int64 = 120
    private static let claims: Set<JSONName> = ["iss", "sub", "aud", "iat", "exp", "authorization"]
    private static let privateClaims = Set(PrivateClaimName.allCases.map { JSONName($0.rawValue) })

    private let account: JSONValue
    private let audiences: [JSONValue]
    /// With the dot.
    private let header: [UInt8]
    private let probe: [UInt8]

    init(of signer: some TokenSigner, audiences: [String]) {
        account = .string(signer.account)
        self.audiences = audiences.map(JSONValue.string)
        header = TokenMinter.encodedHeader(keyID: signer.keyID)
        probe = RS256Signer.probeText(keyID: signer.keyID)
    }

    /// Whether a message is one of them at this time, in seconds since the epoch.
    func contain(_ message: [UInt8], at now: Int64) -> Bool {
        if message == probe { return true }
        guard message.prefix(header.count).hasSameBytes(as: header[...]),
            let json = try? Base64URL.decode(message.dropFirst(header.count)),
            case .object(let claims)? = try? JSONValue(parsing: json)
        else { return false }
        return areOurs(claims) && areCurrent(claims, at: now)
    }

    /// No other claim, such as a grant's `scope` or `target_audience`, is known.
    private func areOurs(_ claims: JSONObject) -> Bool {
        guard Set(claims.names) == Self.claims, claims["iss"] == account, claims["sub"] == account,
            let audience = claims["aud"], audiences.contains(audience),
            case .object(let authorization)? = claims["authorization"]
        else { return false }
        return !authorization.isEmpty && authorization.names.allSatisfy(Self.privateClaims.contains)
    }

    private func areCurrent(_ claims: JSONObject, at now: Int64) -> Bool {
        guard case .integer(let issued)? = claims["iat"], case .integer(let expiry)? = claims["exp"] else {
            return false
        }
        return (now - TokenPolicy.maxBackdate - Self.tolerance...now + Self.tolerance).contains(issued)
            && (issued + 1...issued + TokenPolicy.maxLifetime).contains(expiry)
    }
}
