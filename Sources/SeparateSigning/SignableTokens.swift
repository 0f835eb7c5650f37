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
    private static let privateClaims = Set(PrivateClaimName.allCases.map { JSONName($0.rawValue) })

    /// With the dot.
    private let header: [UInt8]
    /// How the payloads of tokens begin, one for each audience.
    private let beginnings: [[UInt8]]
    private let probe: [UInt8]

    init(of signer: some TokenSigner, audiences: [String]) {
        header = TokenMinter.encodedHeader(keyID: signer.keyID)
        beginnings = audiences.map { TokenMinter.openPayload(account: signer.account, audience: $0).bytes }
        probe = RS256Signer.probeText(keyID: signer.keyID)
    }

    /// Whether a message is one of them at this time, in seconds since the epoch.
    func contain(_ message: [UInt8], at now: Int64) -> Bool {
        if message == probe { return true }
        guard message.prefix(header.count).hasSameBytes(as: header[...]),
            let payload = try? Base64URL.decode(message.dropFirst(header.count)),
            let rest = beginnings.lazy.compactMap({ payload.rest(after: $0) }).first,
            case .object(let claims)? = try? JSONValue(parsing: [UInt8(ascii: "{")] + rest)
        else { return false }
        return areOurs(claims) && areCurrent(claims, at: now)
    }

    /// Besides account and audience. No other claim, such as a grant's `scope` or `target_audience`, is known.
    private func areOurs(_ claims: JSONObject) -> Bool {
        guard claims.count == 3, case .object(let authorization)? = claims["authorization"] else { return false }
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

extension [UInt8] {
    /// The members after those of a JSON object's beginning; nil if the object begins otherwise or has no others.
    fileprivate func rest(after beginning: [UInt8]) -> ArraySlice<UInt8>? {
        guard count > beginning.count, self[beginning.count] == UInt8(ascii: ","),
            self[..<beginning.count].hasSameBytes(as: beginning[...])
        else { return nil }
        return self[(beginning.count + 1)...]
    }
}
