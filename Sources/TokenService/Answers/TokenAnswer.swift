import FleetEngineToken
import HTTPServer
import ServiceConfiguration
import StrictJSON

/// Renders a token's answer: JSON in the format that its client reads.
package struct TokenAnswer: Sendable {
    static let fields = HTTPFields.unstored("application/json")

    /// The shape of each form, by its raw value, and kind.
    private let shapes: [PerKind<AnswerShape>]
    private let margins: PerKind<ClientMargin>

    /// `margin` is called once for each kind.
    init(names: Configuration.Answer, margin: (TokenKind) -> ClientMargin) {
        shapes = AnswerForm.allCases.map { form in PerKind { AnswerShape(form, of: $0, names: names) } }
        margins = PerKind(margin)
    }

    /// The body of an answer at `now`, in seconds since the epoch.
    func body(_ token: MintedToken, _ kind: TokenKind, _ form: AnswerForm, at now: Int64) -> [UInt8] {
        let shape = shapes[form.rawValue][kind]
        var json = JSONWriter(reserving: shape.tokenNames.count * token.jwt.count + 160)
        json.object { answer in
            for name in shape.tokenNames { answer.member(name, token) }
            for (name, time) in shape.times { answer.member(name, value(time, of: token, kind, at: now)) }
        }
        return json.bytes
    }

    /// The body for a cached token: the cached body, if it has this form and does not change with time. Only otherwise is the
    /// kind read.
    func body(
        _ cached: CachedToken, _ kind: @autoclosure () -> TokenKind, _ form: AnswerForm, at now: Int64
    ) -> [UInt8] {
        if cached.form == form.rawValue, !form.isRelative { return cached.rendered }
        return body(cached.token, kind(), form, at: now)
    }

    /// The seconds by which the expiry in an answer precedes `exp`.
    func margin(of kind: TokenKind) -> Int64 { margins[kind].configured }

    private func value(_ time: AnswerShape.Time, of token: MintedToken, _ kind: TokenKind, at now: Int64) -> Int64 {
        let expiration = token.expiresAt - margins[kind].seconds(of: token)
        return switch time {
        case .expiration: expiration
        case .secondsLeft: max(0, expiration - now)
        case .expirationMilliseconds: expiration * 1000
        case .creationMilliseconds: token.issuedAt * 1000
        }
    }
}

/// How long before the signed expiration clients should fetch the next token, so that none uses a token in its last
/// seconds.
struct ClientMargin: Sendable {
    /// The configured margin in seconds.
    let configured: Int64
    private let lifetime: Int64
    private let backdate: Int64

    /// The configured margin, for tokens of the configured lifetime.
    init(_ settings: Configuration.Token) {
        (configured, lifetime, backdate) = (settings.clientMargin, settings.lifetime, settings.backdate)
    }

    /// The seconds for a token. A token whose lifetime a back end shortened has a proportional margin as long as it is
    /// cached (`cache.reuse_fraction` of its life), and at most half of the life that it has when signed: no client gets a
    /// token whose announced expiration has passed.
    func seconds(of token: MintedToken) -> Int64 {
        let life = token.expiresAt - token.issuedAt
        guard life < lifetime else { return configured }
        return min(configured * life / lifetime, (life - backdate) / 2)
    }
}
