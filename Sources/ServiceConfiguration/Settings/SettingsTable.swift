import FleetEngineToken

/// The one table of settings: the reader, the names of environment variables, "did you mean" and the full
/// configuration file all come from it, in its order.
package enum SettingsTable {
    /// Every setting.
    package static let all: [any ConfigurationSetting] =
        listening + serving + reload + tls + admin + callers + token + kinds + cache + answer + cors + protection
        + request + httpConnections + httpRequests + http2 + log

    package static let lifetimes: ClosedRange<Int64> = 1...TokenPolicy.maxLifetime
    static let backdates: ClosedRange<Int64> = 0...TokenPolicy.maxBackdate
    static let clientMargins: ClosedRange<Int64> = 0...TokenPolicy.maxLifetime

    /// The setting at the dotted `path`; nil if there is none.
    static func setting(at path: String) -> (any ConfigurationSetting)? {
        byPath[path]
    }

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    private static let serving: [any ConfigurationSetting] = [
        Setting(
            "credentials", \.credentials, .optional(.keyFile, example: "/etc/token-provider/key.json"),
            "The credentials for every kind without its own; for a wildcard kind only if kinds.enabled names it. A "
                + "file of any type of Application Default Credentials, or application_default, which searches for "
                + "them (AIP-4110): GOOGLE_APPLICATION_CREDENTIALS, then gcloud's file, then the machine's metadata "
                + "server. So does the daemon without any credentials."),
        Setting(
            "sign_as", \.signAs, .optional(.accountName, example: "driver-tokens@my-fleet.iam.gserviceaccount.com"),
            "The account to sign for, else that of the credentials."),
        Setting(
            "delegates", \.delegates, .list(of: .accountName, allowsNone: true),
            "The delegation chain to sign_as."),
        Setting(
            "credentials_allowed_hosts", \.credentialsAllowedHosts,
            .list(of: .text("a host"), allowsNone: true),
            "Hosts that credentials files may name, besides Google's."),
        Setting(
            "google.iam_credentials", \.google.iamCredentials,
            .optional(.outgoingURL, example: "https://iamcredentials-fleet.p.googleapis.com"),
            "The endpoint that signs, for example one of Private Service Connect."),
        Setting(
            "google.keys", \.google.keys, .optional(.outgoingURL, example: "https://www-fleet.p.googleapis.com"),
            "The endpoint that publishes the public keys of accounts."),
        Setting(
            "google.keys_interval", \.google.keysInterval, .one(.seconds(0...7 * 86_400)),
            "How often to look there for the keys that sign here. 0s: never."),
        Setting(
            "google.fleet_engine", \.google.fleetEngine,
            .optional(.outgoingURL, example: "https://fleetengine-fleet.p.googleapis.com"),
            "The endpoint of Fleet Engine, which only token-provider doctor asks."),
        Setting(
            "google.universe_domain", \.google.universeDomain, .one(.domain),
            "The domain of Google's services. Sovereign clouds have their own."),
        Setting(
            "signing.quota", \.signing.quota, .one(.whole(1...10_000_000)),
            "Google's signatures a minute for the project."),
        Setting(
            "signing.quota_share", \.signing.quotaShare, .one(.fraction(0.001...1)),
            "The part of the quota for this daemon."),
        Setting(
            "signing.batch", \.signing.batch, .one(.batch), "Signs up to 8 waiting tokens at once (RSA-2048)."),
        Setting(
            "signing.process", \.signing.process, .one(.word),
            "Whether a process without network has the keys."
        ).atStart,
        Setting(
            "pkcs11.module", \.pkcs11.module,
            .optional(.library("the path of a PKCS #11 module"), example: "/usr/lib/softhsm/libsofthsm2.so"),
            "The library for the tokens of kinds.KIND.key."),
        Setting(
            "pkcs11.pin", \.pkcs11.pin, .optional(.secretPath, example: "/etc/token-provider/pin"),
            "The file of their PIN."),
        Setting(
            "allow_default_service_accounts", \.allowDefaultServiceAccounts, .one(.boolean),
            "Whether Google's default accounts (Compute Engine, App Engine) may sign. They often have every right; Fleet "
                + "Engine then ignores the limits in a token."),
        Setting("sandbox", \.sandbox, .one(.word), "Limits this process to what it needs (Landlock, seccomp).").atStart,
    ]

    private static let reload: [any ConfigurationSetting] = [
        Setting(
            "reload.watch", \.reload.watch, .optional(.milliseconds(100...86_400_000), example: "5s"),
            "How often to look for changed files, to reload. Without it: never.")
    ]

    private static let token: [any ConfigurationSetting] = [
        Setting(
            "token.audience", \.token.audience, .one(.text("the audience of Fleet Engine")),
            "The aud claim, exactly so, with the last slash."),
        Setting(
            "token.lifetime", \.token.lifetime, .one(.seconds(lifetimes)),
            "From iat to exp, at most 1h. Android samples subtract 10m."),
        Setting(
            "token.backdate", \.token.backdate, .one(.seconds(backdates)),
            "How far iat is in the past, for clocks that run fast."),
        Setting(
            "token.client_margin", \.token.clientMargin, .one(.seconds(clientMargins)),
            "How far the expiry in an answer precedes exp, so that clients do not use a token in its last seconds."),
    ]

    private static let cache: [any ConfigurationSetting] = [
        Setting(
            "cache.reuse_fraction", \.cache.reuseFraction, .one(.fraction(0...1)),
            "A cached token is reused while at least this part of its lifetime remains. That time must not be less than "
                + "token.client_margin."),
        Setting(
            "cache.max_bytes", \.cache.maxBytes, .one(.size(1 << 20...1 << 40)),
            "The memory for cached tokens; the oldest are dropped."),
    ]

    private static let answer: [any ConfigurationSetting] = [
        Setting(
            "answer.trip_token_key", \.answer.tripTokenKey, .one(.text("a JSON name")),
            "The JSON name of the token. Replace these names by your own."),
        Setting(
            "answer.vehicle_token_key", \.answer.vehicleTokenKey, .one(.text("a JSON name")),
            "The JSON name of a vehicle's token, which is under both names."),
        Setting(
            "answer.expiration_key", \.answer.expirationKey, .one(.text("a JSON name")),
            "The JSON name of the expiry."),
        Setting(
            "answer.expiration", \.answer.expiration, .one(.word),
            "absolute: seconds since the epoch, as in Google's Swift sample. relative: seconds from now, as in its "
                + "Objective-C sample. A request can choose with &expiration=relative."),
    ]

    private static let cors: [any ConfigurationSetting] = [
        Setting(
            "cors.allowed_origins", \.cors.allowedOrigins, .list(of: .origin, allowsNone: true),
            "The origins whose web pages may ask for tokens, compared exactly. []: none."),
        Setting(
            "cors.allowed_headers", \.cors.allowedHeaders, .list(of: .headerName, allowsNone: true),
            "The headers that such a page may send."),
        Setting(
            "cors.max_age", \.cors.maxAge, .one(.seconds(0...86_400)),
            "How long a browser may cache the permission."),
    ]

    private static let request: [any ConfigurationSetting] = [
        Setting(
            "request.ignored_parameters", \.request.ignoredParameters, .list(of: .ignoredParameter, allowsNone: true),
            "Query parameters to ignore, for gateways that add some. Other unknown parameters are refused."),
        Setting(
            "request.path_prefix", \.request.pathPrefix, .optional(.pathPrefix, example: "/fleet"),
            "What may come before each path, for a gateway that does not take it away: /fleet/token is /token then."),
        Setting(
            "request.take_ids", \.request.takesIDs, .one(.boolean),
            "Whether to keep the X-Request-ID of a request for the answer, and as client_request_id for the logs. It is "
                + "kept if it has 1 to 40 letters, digits or -_.~ and does not look like an API key."),
    ]

    private static let log: [any ConfigurationSetting] = [
        Setting(
            "log.level", \.log.level, .one(.word),
            "The least severe level that is logged to standard error. Access lines have the level info."),
        Setting(
            "log.format", \.log.format, .one(.word),
            "text is for people; json writes one object on each line."
        ).atStart,
        Setting(
            "log.access", \.log.access, .one(.boolean),
            "Whether to log a line for each request, without query and token."),
        Setting(
            "log.access_sample", \.log.accessSample, .one(.whole(1...1_000_000)),
            "Log one access line for this many requests."),
        Setting(
            "log.ids", \.log.ids, .one(.word),
            "How ids are logged. digest: keyed, the same for the same id. plain: the id."),
    ]
}
