extension SettingsTable {
    /// Who may have a token.
    package static let callers: [any ConfigurationSetting] = authenticators + forwardAuth + rules

    private static let authenticators: [any ConfigurationSetting] = [
        Setting(
            "callers", \.callers, .optional(.word, example: "none"),
            "How callers are told apart. none: nobody is asked who they are, and whoever reaches the address gets a "
                + "token for any id; beyond this machine that must be said. Without it callers prove who they are by "
                + "issuers or api_keys below, by a certificate (tls.client_ca_file), or to the back end of forward_auth, and rules say what they may have."
        ),
        Setting(
            "issuers", \.issuers,
            .records(
                "a list of issuers, each with issuer, audiences and algorithms", example: IssuerRecord.example,
                IssuerRecord.read),
            "Identity providers whose tokens callers show as Authorization: Bearer. keys is discovery, the https URL of a "
                + "JWK set, or its file; type is what typ must be; principal is the claim that names "
                + "the caller to limits and records, a text, by its path; leeway is for clocks that differ; keep_keys is "
                + "for how long keys serve when the provider is down."),
        Setting(
            "api_keys.file", \.apiKeys.file, .optional(.path("the path of a file of API keys"), example: "api-keys"),
            "Servers whose API key has its line in this file may call; token-provider api-key new NAME makes both."),
        Setting(
            "api_keys.field", \.apiKeys.field, .optional(.fieldName, example: "X-API-Key"),
            "A field in which an API key may stand instead of Authorization: Bearer."),
    ]

    private static let rules: [any ConfigurationSetting] = [
        Setting(
            "rules", \.rules,
            .records("a list of rules, each with name, kinds and ids", example: RuleRecord.example, RuleRecord.read),
            "What a caller may have. A rule allows its kinds of tokens to the callers it names (issuers, api_keys, "
                + "certificates; none: all who proved who they are) whose token has all of its claims, for the ids it mentions: any, "
                + "a list of them, or those that a claim of the caller's token holds. With forward_auth it allows "
                + "what the company's back end allows: to whoever it is where it names no callers (a kind that opens "
                + "everything only to whom the back end names), for any id where it mentions none. What no rule allows is refused."
        )
    ]
}
