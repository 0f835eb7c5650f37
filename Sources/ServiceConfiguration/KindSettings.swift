import FleetEngineToken

extension SettingsTable {
    /// Which kinds are served, and for each kind what it has of its own.
    package static let kinds: [any ConfigurationSetting] = [enabledKinds] + TokenKind.allCases.flatMap(settings)

    private static let enabledKinds = Setting(
        "kinds.enabled", \.kinds.enabled, .optionalList(of: .word, example: "[consumer, driver]"),
        "The kinds of tokens that are served. Without it: every kind that names specific ids and has a key, and a "
            + "wildcard kind (server, delivery_server, delivery_fleet_reader, fleet_reader) only with a key of its own."
    )

    private static func settings(of kind: TokenKind) -> [any ConfigurationSetting] {
        let section = "kinds.\(kind.rawValue)"
        return [
            Setting(
                "\(section).credentials", \.kinds[kind].credentials,
                .optional(.keyFile, example: "/etc/token-provider/\(kind.rawValue).json"),
                "The key for \(kind.bearers), if not the common one: an account with \(kind.role ?? "a role that reads only")."
            ),
            Setting(
                "\(section).audience", \.kinds[kind].audience,
                .optional(.text("the audience of Fleet Engine"), example: Configuration.Token.fleetEngineAudience),
                "As token.audience, for \(kind.bearers)."),
            Setting(
                "\(section).lifetime", \.kinds[kind].lifetime, .optional(.seconds(lifetimes), example: "1h"),
                "As token.lifetime, for \(kind.bearers)."),
            Setting(
                "\(section).backdate", \.kinds[kind].backdate, .optional(.seconds(backdates), example: "5m"),
                "As token.backdate, for \(kind.bearers)."),
            Setting(
                "\(section).client_margin", \.kinds[kind].clientMargin,
                .optional(.seconds(clientMargins), example: "1m"),
                "As token.client_margin, for \(kind.bearers)."),
        ]
    }
}

extension TokenKind {
    /// For whom its tokens are, in words.
    fileprivate var bearers: String {
        switch self {
        case .consumer: "riders' tokens (one trip)"
        case .driver: "drivers' tokens (one vehicle)"
        case .untrustedDeliveryDriver: "delivery drivers' tokens (one delivery vehicle)"
        case .trustedDeliveryDriver: "trusted delivery drivers' tokens (one delivery vehicle, and one task)"
        case .deliveryConsumer: "recipients' tokens (one tracking id or one task)"
        case .taskBatch: "a back end's tokens for several tasks"
        case .server: "a back end's tokens for all trips and vehicles"
        case .deliveryServer: "a back end's tokens for all of deliveries"
        case .deliveryFleetReader: "operators' tokens for all of deliveries"
        case .fleetReader: "operators' tokens for everything"
        }
    }
}
