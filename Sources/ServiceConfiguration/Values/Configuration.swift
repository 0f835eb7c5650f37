import CallerAccess
import FleetEngineToken
import HTTPServer

/// The daemon's configuration: the defaults, which sources overwrite key by key. `load` returns only what keeps every rule.
package struct Configuration: Sendable, Equatable {
    /// The defaults.
    package init() {}

    /// Where to listen for plain HTTP.
    package var listen: [SocketAddress] = [.ipv4(0x7F00_0001, port: 8080)]
    /// Further listeners.
    package var listeners: [Configuration.Listener] = []
    /// Serving by https.
    package var tls = Configuration.TLS()
    /// The listener for operators.
    package var admin = Configuration.Admin()
    /// Set if callers are not authenticated; nil if they are.
    package var callers: Configuration.Callers?
    /// The identity providers whose tokens callers may use.
    package var issuers: [Configuration.Issuer] = []
    /// The API keys of servers.
    package var apiKeys = Configuration.APIKeys()
    /// The company's back end.
    package var forwardAuth = Configuration.ForwardAuth()
    /// What callers may have.
    package var rules: [AccessRule] = []
    /// The key file for the kinds that name none of their own.
    package var credentials: String?
    /// The account whose tokens are made; nil for that of the credentials.
    package var signAs: String?
    /// The accounts of a delegation chain, in order.
    package var delegates: [String] = []
    /// Hosts that URLs in files of credentials may name, besides Google's.
    package var credentialsAllowedHosts: [String] = []
    /// Google's endpoints.
    package var google = Configuration.Google()
    /// The quota of remote signatures.
    package var signing = Configuration.Signing()
    /// How keys in hardware are reached.
    package var pkcs11 = Configuration.PKCS11()
    /// What each kind of token has of its own.
    package var kinds = Configuration.Kinds()
    /// Whether Google's default service accounts, which hold far too many rights, may sign.
    package var allowDefaultServiceAccounts = false
    /// Whether the daemon confines itself.
    package var sandbox = Configuration.Sandbox.auto
    /// When the files are read again.
    package var reload = Configuration.Reload()
    /// What every token says and how long it lives.
    package var token = Configuration.Token()
    /// How long tokens are cached for further requests.
    package var cache = Configuration.Cache()
    /// The names and values of an answer.
    package var answer = Configuration.Answer()
    /// Which web pages of other origins may ask.
    package var cors = Configuration.CORS()
    /// How many requests a caller may make.
    package var limits = Configuration.Limits()
    /// The proxies in front.
    package var proxies = Configuration.Proxies()
    /// The audit log.
    package var audit = Configuration.Audit()
    /// Requests that the daemon makes itself.
    package var outgoing = Configuration.Outgoing()
    /// How requests are read.
    package var request = Configuration.Request()
    /// The HTTP server's limits.
    package var http = Configuration.HTTP()
    /// HTTP/2.
    package var http2 = Configuration.HTTP2()
    /// What is logged.
    package var log = Configuration.Log()
    /// Where the elements of lists are written; it is not a value and does not count for equality.
    package var places = ConfigurationPlaces()

    /// What is logged, to standard error.
    package struct Log: Sendable, Equatable {
        /// The least severe level that is logged.
        package var level = Level.info
        /// The form of a line.
        package var format = Format.text
        /// Whether requests are logged.
        package var access = true
        /// One of this many requests is logged.
        package var accessSample = 1
        /// How ids appear.
        package var ids = IDs.digest

        /// Whether a request leaves a line: those are of the level info.
        package var logsRequests: Bool { access && [.trace, .debug, .info].contains(level) }

        /// The levels of swift-log, by its names.
        package enum Level: String, CaseIterable, Sendable {
            case trace, debug, info, notice, warning, error, critical
        }

        /// The form of a line.
        package enum Format: String, CaseIterable, Sendable {
            case text, json
        }

        /// How ids appear.
        package enum IDs: String, CaseIterable, Sendable {
            /// As a keyed digest: equal ids look equal, and none can be read.
            case digest
            /// As they are.
            case plain
        }
    }

    /// Whether the daemon confines itself.
    package enum Sandbox: String, CaseIterable, Sendable {
        /// As far as the kernel can.
        case auto
        /// Not at all.
        case off
    }

    /// When changed files cause a reload.
    package struct Reload: Sendable, Equatable {
        /// The time between two checks of the files; nil for no checks.
        package var watch: Duration?
    }

    /// The files that the configuration names and whose content it uses.
    package var files: [String] {
        let issuerKeys = issuers.compactMap { issuer in
            if case .file(let path) = issuer.keys { path } else { nil }
        }
        let certificates: [String?] = tls.certificates.flatMap { files -> [String?] in
            [files.certificate, files.key, files.passphrase, files.response]
        }
        let proxy: String? = if case .file(let path)? = outgoing.proxy { path } else { nil }
        let others = [apiKeys.file, outgoing.caFile, proxy, pkcs11.pin, tls.clientCAFile, tls.clientCRLFile]
        return credentialFiles + issuerKeys + issuers.compactMap(\.keysTokenFile)
            + (certificates + others).compactMap(\.self)
    }
}

/// What a kind of token needs to be served.
package enum KindAbsence: Sendable {
    case key
    /// Its name in `kinds.enabled`.
    case listing
    case listingAndKey

    /// The settings that turn the kind on when all of them are made.
    package func settings(of kind: TokenKind) -> [String] {
        let key = "kinds.\(kind.rawValue).credentials"
        return switch self {
        case .key: [key]
        case .listing: ["kinds.enabled"]
        case .listingAndKey: ["kinds.enabled", key]
        }
    }

    /// For example `kinds.enabled turns it on`.
    package func advice(on kind: TokenKind) -> String {
        let settings = settings(of: kind)
        return "\(settings.joined(separator: " and ")) turn\(settings.count == 1 ? "s" : "") it on"
    }
}
