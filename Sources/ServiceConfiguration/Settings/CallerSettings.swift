extension SettingsTable {
    /// Who may have a token.
    package static let callers: [any ConfigurationSetting] = authenticators + forwardAuth + rules

    private static let authenticators: [any ConfigurationSetting] = [
        Setting(
            "callers", \.callers, .optional(.word, example: "none"),
            "none: callers are not authenticated, and every client that reaches the address gets a token for any id. "
                + "Without it callers are authenticated by issuers, api_keys, client certificates (tls.client_ca_file) or "
                + "forward_auth, and rules decide what they may have."
        ),
        Setting(
            "issuers", \.issuers,
            .records(
                "a list of issuers, each with issuer, audiences and algorithms", example: IssuerRecord.example,
                IssuerRecord.read),
            "Identity providers whose tokens callers send as Authorization: Bearer, or alone in header. spiffe_trust_domain: in "
                + "place of issuer, for JWT-SVIDs. tenants: the ids for {tenantid} in issuer. audience_claim: the claim that must "
                + "hold one of audiences (aud). keys: discovery (the default), the https URL of a JWK set or of certificates, or "
                + "their file. allow_plain_http: for http URLs. keys_token_file: holds a bearer token for them. "
                + "type: what typ must be (any). principal: the claim that identifies the caller in limits and "
                + "records (sub). leeway: for clocks that differ (60s). keep_keys: how long keys are used "
                + "while the provider is unreachable (24h)."),
        Setting(
            "api_keys.file", \.apiKeys.file, .optional(.path("the path of a file of API keys"), example: "api-keys"),
            "API keys of servers. token-provider api-key new NAME makes one."),
        Setting(
            "api_keys.header", \.apiKeys.header, .optional(.headerName, example: "X-API-Key"),
            "A header for API keys besides Authorization: Bearer."),
    ]

    private static let rules: [any ConfigurationSetting] = [
        Setting(
            "rules", \.rules,
            .records("a list of rules, each with name, kinds and ids", example: RuleRecord.example, RuleRecord.read),
            "What callers may have; what no rule allows is refused. A rule allows its kinds of tokens to the callers it "
                + "names (issuers, api_keys, certificates; if it names none, to all authenticated callers) whose token has "
                + "all its claims. It allows the ids it mentions: any, those in a list, or those in a claim of the caller's "
                + "token. With forward_auth: true the company's back end decides. Such a rule needs no callers and no ids, "
                + "but wildcard kinds need a caller whom the back end names."
        )
    ]
}
