import HTTPClient

extension SettingsTable {
    /// The company's back end, which decides for rules with `forward_auth`.
    package static let forwardAuth: [any ConfigurationSetting] = [
        Setting(
            "forward_auth.url", \.forwardAuth.url,
            .optional(.outgoingURL, example: "https://backend.example.com/token-allowed"),
            "The URL of the company's back end, which decides for rules with forward_auth: true. It receives a POST with the "
                + "caller's Authorization, but no API key, and a JSON object of kind, ids and, if the caller is authenticated, principal. 2xx "
                + "allows; the answer may hold principal and lifetime (seconds from now) in a JSON object. 401 and 403 "
                + "refuse. Anything else is an outage, and no token is given."),
        Setting(
            "forward_auth.method", \.forwardAuth.method, .one(.word),
            "POST sends the JSON object. GET sends X-Forwarded-Method, -Uri, -Proto, -Host and -For in its place, as Traefik "
                + "and Caddy do, and the principal's name as X-Forwarded-User."),
        Setting(
            "forward_auth.body", \.forwardAuth.body, .one(.word),
            "What an answer of 2xx means. json: it allows, within the principal and lifetime of its body. ignore: it "
                + "allows, whatever its body is. opa: it allows if its result is true, as of Open Policy Agent, which gets "
                + "the JSON object as input."),
        Setting(
            "forward_auth.headers", \.forwardAuth.headers, .list(of: .headerName, allowsNone: true),
            "Headers of the caller's request that the back end receives besides Authorization, such as Cookie."),
        Setting(
            "forward_auth.timeout", \.forwardAuth.timeout, .one(.milliseconds(10...60_000)),
            "How long a decision may take, to its last byte."),
        Setting(
            "forward_auth.max_connections", \.forwardAuth.maxConnections, .one(.whole(1...256)),
            "Requests to the back end at once, each on a connection."),
        Setting(
            "forward_auth.max_waiting", \.forwardAuth.maxWaiting, .one(.whole(1...65_536)),
            "Further requests to it that may wait; beyond them callers with the most get 503."),
        Setting(
            "forward_auth.cache_time", \.forwardAuth.cacheTime, .one(.milliseconds(0...3_600_000)),
            "How long a decision is cached for equal requests: at most 5s for a refusal, and at most half of the lifetime "
                + "that the decision gives. 0s: never."),
        Setting(
            "forward_auth.cache_bytes", \.forwardAuth.cacheBytes, .one(.size(1 << 20...1 << 30)),
            "The memory for cached decisions."),
    ]
}

extension ScalarForm where Value == OutgoingURL {
    /// The URL of another service. Errors do not show it, because its query may be a secret.
    static var outgoingURL: Self {
        ScalarForm(OutgoingURL.expectation, hidingText: true, making: OutgoingURL.init(_:), problem: \.problem)
    }
}

extension ScalarForm where Value == Configuration.Audit.Checkpoints {
    /// A URL, or the path of a file; relative paths start from the folder of the text.
    static var checkpoints: Self {
        ScalarForm("https://HOST[:PORT][/PATH], or the path of a file") { (text) throws(ValueProblem) in
            if let path = try ScalarForm<String>.path(unlessURL: text) { return .file(path) }
            return .url(try ScalarForm<OutgoingURL>.outgoingURL.read(text))
        }
    }
}
