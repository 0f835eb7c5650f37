import FleetEngineToken

extension SettingsTable {
    /// Which kinds are served, and the settings of each kind.
    package static let kinds: [any ConfigurationSetting] = [enabledKinds] + TokenKind.allCases.flatMap(settings)

    private static let enabledKinds = Setting(
        "kinds.enabled", \.kinds.enabled, .optionalList(of: .word, example: "[consumer, driver]"),
        "The kinds of tokens that are served. Without it: every kind for specific ids that has a key, and each wildcard "
            + "kind (server, delivery_server, delivery_fleet_reader, fleet_reader) that has a key of its own."
    )

    private static func settings(of kind: TokenKind) -> [any ConfigurationSetting] {
        let section = "kinds.\(kind.rawValue)"
        return [
            Setting(
                "\(section).credentials", \.kinds[kind].credentials,
                .optional(.keyFile, example: "/etc/token-provider/\(kind.rawValue).json"),
                "Instead of credentials."),
            Setting(
                "\(section).sign_as", \.kinds[kind].signAs,
                .optional(.accountName, example: "\(kind.rawValue)@my-fleet.iam.gserviceaccount.com"),
                "Instead of sign_as."),
            Setting(
                "\(section).key", \.kinds[kind].key,
                .optional(.keyInHardware, example: "pkcs11:token=fleet;object=\(kind.rawValue)"),
                "A key in hardware, instead of credentials."),
            Setting(
                "\(section).email", \.kinds[kind].email,
                .optional(.accountName, example: "\(kind.rawValue)@my-fleet.iam.gserviceaccount.com"),
                "The account of key."),
            Setting(
                "\(section).key_id", \.kinds[kind].keyID,
                .optional(.keyID, example: "0123456789abcdef0123456789abcdef01234567"),
                "The id that Google gave to key."),
            Setting(
                "\(section).audience", \.kinds[kind].audience,
                .optional(.text("the audience of Fleet Engine"), example: TokenPolicy.fleetEngineAudience),
                "Instead of token.audience."),
            Setting(
                "\(section).lifetime", \.kinds[kind].lifetime, .optional(.seconds(lifetimes), example: "1h"),
                "Instead of token.lifetime."),
            Setting(
                "\(section).backdate", \.kinds[kind].backdate, .optional(.seconds(backdates), example: "5m"),
                "Instead of token.backdate."),
            Setting(
                "\(section).client_margin", \.kinds[kind].clientMargin,
                .optional(.seconds(clientMargins), example: "1m"),
                "Instead of token.client_margin."),
        ]
    }

    /// What the tokens of a kind are for, and the role that its account needs.
    package static func purpose(of kind: TokenKind) -> String {
        "\(kind.rawValue): \(kind.bearers); \(kind.role ?? "a role that only reads")"
    }
}

extension TokenKind {
    /// Who uses its tokens, and for what.
    fileprivate var bearers: String {
        switch self {
        case .consumer: "riders, one trip"
        case .driver: "drivers, one vehicle"
        case .untrustedDeliveryDriver: "delivery drivers, one delivery vehicle"
        case .trustedDeliveryDriver: "trusted delivery drivers, one delivery vehicle and one task"
        case .deliveryConsumer: "recipients, one tracking id or one task"
        case .taskBatch: "back ends, several tasks"
        case .server: "back ends, all trips and vehicles"
        case .deliveryServer: "back ends, all deliveries"
        case .deliveryFleetReader: "operators, all deliveries"
        case .fleetReader: "operators, everything"
        }
    }
}
