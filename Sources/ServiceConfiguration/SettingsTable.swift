import FleetEngineToken
import HTTPServer

/// The one table of settings: the reader, the names of environment variables, "did you mean" and the full
/// configuration file all come from it, in its order.
package enum SettingsTable {
    /// Every setting.
    package static let all: [any ConfigurationSetting] =
        listening + serving + reload + tls + admin + callers + token + kinds + cache + answer + cors + protection
        + request
        + httpConnections + httpRequests + http2 + log

    package static let lifetimes: ClosedRange<Int64> = 1...TokenPolicy.maxLifetime
    static let backdates: ClosedRange<Int64> = 0...TokenPolicy.maxBackdate
    static let clientMargins: ClosedRange<Int64> = 0...TokenPolicy.maxLifetime

    /// The setting at the dotted `path`; nil when there is none.
    static func setting(at path: String) -> (any ConfigurationSetting)? {
        byPath[path]
    }

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    private static let serving: [any ConfigurationSetting] = [
        Setting(
            "credentials", \.credentials, .optional(.keyFile, example: "/etc/token-provider/key.json"),
            "The service-account key that signs every kind without one of its own, the wildcard kinds apart. A relative "
                + "path begins in the folder of this file. When no key file "
                + "is named at all, GOOGLE_APPLICATION_CREDENTIALS stands in."),
        Setting(
            "allow_default_service_accounts", \.allowDefaultServiceAccounts, .one(.boolean),
            "Google's default accounts (compute, App Engine) often may do everything; Fleet Engine then ignores what a "
                + "token is limited to, so they are refused."),
    ]

    private static let reload: [any ConfigurationSetting] = [
        Setting(
            "reload.watch", \.reload.watch, .optional(.milliseconds(100...86_400_000), example: "5s"),
            "How often to look whether a file that was read has changed, this one, keys and certificates included, and to "
                + "reload then, as SIGHUP does. Without it nobody looks.")
    ]

    private static let token: [any ConfigurationSetting] = [
        Setting(
            "token.audience", \.token.audience, .one(.text("the audience of Fleet Engine")),
            "The aud claim. Fleet Engine wants exactly this, with the last slash."),
        Setting(
            "token.lifetime", \.token.lifetime, .one(.seconds(lifetimes)),
            "From iat to exp. Fleet Engine refuses more than an hour; Android's samples subtract ten minutes."),
        Setting(
            "token.backdate", \.token.backdate, .one(.seconds(backdates)),
            "How far iat lies in the past, so that a clock that runs fast does not make tokens invalid."),
        Setting(
            "token.client_margin", \.token.clientMargin, .one(.seconds(clientMargins)),
            "How much earlier than exp clients are told that a token ends, so that none is used in its last seconds."),
    ]

    private static let cache: [any ConfigurationSetting] = [
        Setting(
            "cache.reuse_fraction", \.cache.reuseFraction, .one(.fraction(0...1)),
            "A kept token is given out again while at least this part of its lifetime is left, which must be no less "
                + "than token.client_margin."),
        Setting(
            "cache.max_bytes", \.cache.maxBytes, .one(.size(1 << 20...1 << 40)),
            "The memory for kept tokens; the oldest are dropped first."),
    ]

    private static let answer: [any ConfigurationSetting] = [
        Setting(
            "answer.trip_token_key", \.answer.tripTokenKey, .one(.text("a JSON name")),
            "The JSON name of the token. Google's samples say to replace the names by your own."),
        Setting(
            "answer.vehicle_token_key", \.answer.vehicleTokenKey, .one(.text("a JSON name")),
            "The JSON name of a vehicle's token, which stands under the trip's name too."),
        Setting(
            "answer.expiration_key", \.answer.expirationKey, .one(.text("a JSON name")),
            "The JSON name of the expiry."),
        Setting(
            "answer.expiration", \.answer.expiration, .one(.word),
            "absolute: seconds since the epoch, as Google's Swift sample reads them. relative: seconds from now, as "
                + "its Objective-C sample does. A request may say its own: &expiration=relative."),
    ]

    private static let cors: [any ConfigurationSetting] = [
        Setting(
            "cors.allowed_origins", \.cors.allowedOrigins, .list(of: .origin, allowsNone: true),
            "The web pages of other origins that may ask for tokens, compared exactly. None: no page may."),
        Setting(
            "cors.allowed_headers", \.cors.allowedHeaders, .list(of: .fieldName, allowsNone: true),
            "The fields that such a page may send with its request."),
        Setting(
            "cors.max_age", \.cors.maxAge, .one(.seconds(0...86_400)),
            "For how long a browser may remember that it may ask."),
    ]

    private static let request: [any ConfigurationSetting] = [
        Setting(
            "request.ignored_parameters", \.request.ignoredParameters, .list(of: .ignoredParameter, allowsNone: true),
            "Query parameters to ignore, for gateways that add their own. Any other unknown one is refused, because a "
                + "mistyped name must not change what is meant."),
        Setting(
            "request.take_ids", \.request.takesIDs, .one(.boolean),
            "Whether a request keeps the X-Request-ID that it came with, if that has 1 to 40 letters, digits or -_.~ and "
                + "nothing like an API key: in the answer, the log and the audit trail, which do not rely on it. Otherwise "
                + "one is made."),
    ]

    private static let httpConnections: [any ConfigurationSetting] = [
        Setting(
            "http.loops", \.http.loops, .one(.whole(0...ServerSettings.maxLoops)),
            "Event loops, each with its own listening socket. 0: one per core."
        ).atStart,
        Setting(
            "http.unix_socket_mode", \.http.unixSocketMode, .optional(.permissions, example: "0660"),
            "Who may connect to the unix sockets that are listened on. Without it the umask says."
        ).atStart,
        Setting(
            "http.share_ports", \.http.sharesPorts, .one(.boolean),
            "Whether a second daemon of the same user may listen at the same addresses (SO_REUSEPORT), so that a new program "
                + "takes an old one's place without a pause. Without it the second one is told that they are in use."
        ).atStart,
        Setting(
            "http.max_connections", \.http.maxConnections, .one(.whole(1...1_000_000)),
            "Open connections at once; each takes a file descriptor."),
        Setting(
            "http.max_connections_per_address", \.http.maxConnectionsPerAddress, .one(.whole(1...1_000_000)),
            "Open connections of one client address, so that none takes them all. Behind a proxy all have its address."),
        Setting(
            "http.head_timeout", \.http.headTimeout, .one(.milliseconds(10...3_600_000)),
            "For a request's head to arrive, against clients that send it byte by byte."),
        Setting(
            "http.idle_timeout", \.http.idleTimeout, .one(.milliseconds(10...3_600_000)),
            "For the next request on an open connection. Longer than a load balancer's own (often 60s), so that it "
                + "never sends into a closing connection."),
        Setting(
            "http.write_timeout", \.http.writeTimeout, .one(.milliseconds(10...3_600_000)),
            "For an answer to be taken, against clients that never read."),
        Setting(
            "http.drain_timeout", \.http.drainTimeout, .one(.milliseconds(0...3_600_000)),
            "For accepted requests to be answered when the daemon stops."),
    ]

    private static let httpRequests: [any ConfigurationSetting] = [
        Setting(
            "http.max_line", \.http.maxLine, .one(.size(256...1 << 20)),
            "The longest line of a request's head, the request line included."
        ).atStart,
        Setting(
            "http.max_head", \.http.maxHead, .one(.size(256...1 << 20)),
            "The longest head of a request, all lines together."
        ).atStart,
        Setting(
            "http.max_fields", \.http.maxFields, .one(.whole(1...1000)),
            "The most fields of a request's head."
        ).atStart,
        Setting(
            "http.max_discarded_body", \.http.maxDiscardedBody, .one(.size(0...16 << 20)),
            "The longest body that is read and dropped; a longer one closes the connection."
        ).atStart,
    ]

    private static let log: [any ConfigurationSetting] = [
        Setting(
            "log.level", \.log.level, .one(.word),
            "The least severe level that is logged, to standard error. Access lines are info."),
        Setting(
            "log.format", \.log.format, .one(.word),
            "text is read by people, json (one object a line) by collectors of logs."
        ).atStart,
        Setting(
            "log.access", \.log.access, .one(.boolean),
            "One line for every request, without its query and without the token."),
        Setting(
            "log.access_sample", \.log.accessSample, .one(.whole(1...1_000_000)),
            "One access line for this many requests, where a line for each costs too much."),
        Setting(
            "log.ids", \.log.ids, .one(.word),
            "Ids say where people and parcels go. digest: a keyed digest, by which lines can be matched but "
                + "no id read. plain: the ids themselves."),
    ]
}
