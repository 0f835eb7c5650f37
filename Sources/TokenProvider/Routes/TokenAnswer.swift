import FleetEngineToken
import HTTPServer

/// What a token's answer looks like: the JSON that Google's sample apps read.
struct TokenAnswer: Sendable {
    static let fields =
        HTTPFields([
            ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]) ?? .none

    let names: Configuration.Answer
    /// Seconds by which clients are told an earlier end than the signed one, so that none uses a token in its last ones.
    let clientMargin: Int64

    /// The body with the expiry as an instant, in seconds since the epoch.
    func absolute(_ token: MintedToken, _ kind: TokenKind) -> [UInt8] {
        body(token, kind, expiration: token.expiresAt - clientMargin)
    }

    /// The body with the expiry as seconds from `now`; none is told as a negative number.
    func relative(_ token: MintedToken, _ kind: TokenKind, at now: Int64) -> [UInt8] {
        body(token, kind, expiration: max(0, token.expiresAt - clientMargin - now))
    }

    /// A vehicle's token stands under both names: the driver samples read its own, older clients the trip's.
    private func body(_ token: MintedToken, _ kind: TokenKind, expiration: Int64) -> [UInt8] {
        let isTwice = kind == .driver && names.vehicleTokenKey != names.tripTokenKey
        var json = JSONWriter(reserving: (isTwice ? 2 : 1) * token.jwt.count + 128)
        json.object { answer in
            if isTwice {
                answer.member(names.vehicleTokenKey, token)
            }
            answer.member(names.tripTokenKey, token)
            answer.member(names.expirationKey, expiration)
        }
        return json.bytes
    }
}
