import FleetEngineToken

/// The rules about audience and times, for all kinds and for each kind that has some of its own.
extension ConfigurationRule {
    /// The binding ones.
    static let tokenTimes = TokenTimesOwner.all.flatMap { [usableTime($0), reusableTime($0), reusedTime($0)] }
    /// Those whose breach is only a warning.
    static let tokenAdvice = TokenTimesOwner.all.flatMap { [shortLifetime($0), foreignAudience($0)] }

    private static func usableTime(_ times: TokenTimesOwner) -> ConfigurationRule {
        times.rule([.clientMargin, .backdate, .lifetime], namesKeys: true) { token, _ in
            guard token.usableSeconds <= 0 else { return nil }
            return "\(token[.backdate]) and \(token[.clientMargin]) leave nothing of \(token[.lifetime]); "
                + "expected a smaller sum"
        }
    }

    private static func reusableTime(_ times: TokenTimesOwner) -> ConfigurationRule {
        times.rule([.lifetime, .backdate], also: ["cache.reuse_fraction"], namesKeys: true) { token, values in
            let left = token.lifetime - token.backdate
            let (demanded, subject) = reuse(token, values)
            guard token.usableSeconds > 0, demanded > Double(left) else { return nil }
            return
                "\(subject) is more than the \(DurationText.text(seconds: left)) that \(token.name(.backdate)) leaves of "
                + "a new token, so no token would be reused; expected a smaller fraction or a longer lifetime"
        }
    }

    private static func reusedTime(_ times: TokenTimesOwner) -> ConfigurationRule {
        times.rule(
            [.clientMargin, .lifetime, .backdate], also: ["cache.reuse_fraction"], namesKeys: true
        ) { token, values in
            let (demanded, subject) = reuse(token, values)
            guard token.usableSeconds > 0, demanded < Double(token.clientMargin) else { return nil }
            return
                "\(subject) is less than \(token[.clientMargin]), so clients would get tokens that have "
                + "expired for them; expected a larger fraction or a smaller margin"
        }
    }

    /// The remaining seconds that a token needs to be reused, and the beginning of a sentence about them.
    private static func reuse(_ token: NamedTimes, _ values: Configuration) -> (demanded: Double, subject: String) {
        let fraction = values.cache.reuseFraction
        let subject = "cache.reuse_fraction (\(DecimalText.text(fraction))) of \(token[.lifetime])"
        return (fraction * Double(token.lifetime), subject)
    }

    private static func shortLifetime(_ times: TokenTimesOwner) -> ConfigurationRule {
        times.rule([.lifetime]) { token, _ in
            // Google's samples for Android treat a token as expired ten minutes before its end.
            guard token.lifetime < 660 else { return nil }
            return "\(DurationText.text(seconds: token.lifetime)) is short: Google's Android samples subtract 10 "
                + "minutes and would fetch a token for every call; expected 660s or more"
        }
    }

    private static func foreignAudience(_ times: TokenTimesOwner) -> ConfigurationRule {
        times.rule([.audience]) { token, _ in
            guard token.audience != TokenPolicy.fleetEngineAudience else { return nil }
            return
                "this is not the audience that Fleet Engine expects; expected \"\(TokenPolicy.fleetEngineAudience)\", with the "
                + "last slash"
        }
    }
}

/// The keys in which audience and times are written.
private enum TokenTimeKey: String {
    case audience, lifetime, backdate
    case clientMargin = "client_margin"
}

/// Whose audience and times a rule checks.
private struct TokenTimesOwner: Sendable {
    /// Nil for the values that all kinds share.
    let kind: TokenKind?

    static let all = [TokenTimesOwner(kind: nil)] + TokenKind.allCases.map { TokenTimesOwner(kind: $0) }

    /// A rule about these keys, of the kind and of all kinds. A kind without any of them needs no check of its own.
    func rule(
        _ keys: [TokenTimeKey], also others: [String] = [], namesKeys: Bool = false,
        _ breach: @escaping @Sendable (NamedTimes, Configuration) -> String?
    ) -> ConfigurationRule {
        let own = kind.map { kind in keys.map { "kinds.\(kind.rawValue).\($0.rawValue)" } } ?? []
        let all = own + others + keys.map { "token.\($0.rawValue)" }
        return ConfigurationRule(keys: all, namesKeys: namesKeys) { values in
            let times = NamedTimes(values, kind)
            guard kind == nil || keys.contains(where: times.isOwn) else { return nil }
            return breach(times, values)
        }
    }
}

/// Audience and times, with the key that gives each.
@dynamicMemberLookup
private struct NamedTimes {
    private let token: Configuration.Token
    private let own: Configuration.Kind
    private let kind: TokenKind?

    init(_ values: Configuration, _ kind: TokenKind?) {
        token = kind.map(values.tokenSettings(of:)) ?? values.token
        own = kind.map { values.kinds[$0] } ?? Configuration.Kind()
        self.kind = kind
    }

    subscript<Value>(dynamicMember keyPath: KeyPath<Configuration.Token, Value>) -> Value { token[keyPath: keyPath] }

    /// A value with its key, such as `token.backdate (5m)`.
    subscript(key: TokenTimeKey) -> String {
        let value =
            switch key {
            case .audience: token.audience
            case .lifetime: DurationText.text(seconds: token.lifetime)
            case .backdate: DurationText.text(seconds: token.backdate)
            case .clientMargin: DurationText.text(seconds: token.clientMargin)
            }
        return "\(name(key)) (\(value))"
    }

    func name(_ key: TokenTimeKey) -> String {
        guard let kind, isOwn(key) else { return "token.\(key.rawValue)" }
        return "kinds.\(kind.rawValue).\(key.rawValue)"
    }

    func isOwn(_ key: TokenTimeKey) -> Bool {
        switch key {
        case .audience: own.audience != nil
        case .lifetime: own.lifetime != nil
        case .backdate: own.backdate != nil
        case .clientMargin: own.clientMargin != nil
        }
    }
}
