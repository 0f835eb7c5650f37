import FleetEngineToken
import ServiceConfiguration

/// By how much clients are told an earlier end than the signed one, so that none uses a token in its last seconds.
struct ClientMargin: Sendable {
    private let seconds: Int64
    private let lifetime: Int64
    private let backdate: Int64

    /// As it is configured, for tokens that live as long as is configured.
    init(_ settings: Configuration.Token) {
        (seconds, lifetime, backdate) = (settings.clientMargin, settings.lifetime, settings.backdate)
    }

    /// The seconds for a token. One whose life a back end narrowed has its share of them, as long as it is kept for others
    /// (`cache.reuse_fraction` of its life), and at most half of the life it has when it is signed: nobody is handed a token
    /// that he is told has ended.
    func seconds(of token: MintedToken) -> Int64 {
        let life = token.expiresAt - token.issuedAt
        guard life < lifetime else { return seconds }
        return min(seconds * life / lifetime, (life - backdate) / 2)
    }
}
