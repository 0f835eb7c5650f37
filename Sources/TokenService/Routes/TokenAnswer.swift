import FleetEngineToken
import HTTPServer
import ServiceConfiguration
import StrictJSON

/// What a token's answer looks like: JSON in the shape that its client reads.
package struct TokenAnswer: Sendable {
    static let fields = HTTPFields.unstored("application/json")

    /// How an expiry is told in the SDK's shape when the request does not say it.
    let expiration: Configuration.Answer.Expiration
    /// A shape for each form and kind, the form's raw value first.
    private let shapes: [PerKind<AnswerShape>]
    private let margins: PerKind<ClientMargin>

    /// Answers with these names; `margin` is asked for each kind.
    init(names: Configuration.Answer, margin: (TokenKind) -> ClientMargin) {
        expiration = names.expiration
        shapes = AnswerForm.allCases.map { form in PerKind { AnswerShape(form, of: $0, names: names) } }
        margins = PerKind(margin)
    }

    /// The body of an answer given at `now`, in seconds since the epoch.
    func body(_ token: MintedToken, _ kind: TokenKind, _ form: AnswerForm, at now: Int64) -> [UInt8] {
        let shape = shapes[form.rawValue][kind]
        var json = JSONWriter(reserving: shape.tokenNames.count * token.jwt.count + 160)
        json.object { answer in
            for name in shape.tokenNames { answer.member(name, token) }
            for (name, time) in shape.times { answer.member(name, value(time, of: token, kind, at: now)) }
        }
        return json.bytes
    }

    /// The body of a kept token's answer: the one that is kept with it, where that is in the same form and does not
    /// change with time; then nobody asks for the kind.
    func body(
        _ kept: CachedToken, _ kind: @autoclosure () -> TokenKind, _ form: AnswerForm, at now: Int64
    ) -> [UInt8] {
        if kept.form == form.rawValue, !form.isRelative { return kept.rendered }
        return body(kept.token, kind(), form, at: now)
    }

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
