import CallerAccess
import HTTPServer

/// The values of a configuration while it is read: it begins with the defaults, and its keys' sources write over them.
struct ConfigurationValues: Sendable, Equatable {
    /// Where to listen for plain HTTP.
    var listen: [SocketAddress] = [.ipv4(0x7F00_0001, port: 8080)]
    /// Further listeners.
    var listeners: [Configuration.Listener] = []
    /// Serving by https.
    var tls = Configuration.TLS()
    /// The listener for whoever runs the daemon.
    var admin = Configuration.Admin()
    /// How callers are told apart if they do not prove who they are; nil if they do.
    var callers: Configuration.Callers?
    /// The identity providers whose tokens callers may show.
    var issuers: [Configuration.Issuer] = []
    /// The API keys of servers.
    var apiKeys = Configuration.APIKeys()
    /// The company's back end.
    var forwardAuth = Configuration.ForwardAuth()
    /// What callers may have.
    var rules: [AccessRule] = []
    /// The key file for the kinds that name none of their own.
    var credentials: String?
    /// What each kind of token has of its own.
    var kinds = Configuration.Kinds()
    /// Whether Google's default service accounts, which hold far too many rights, may sign.
    var allowDefaultServiceAccounts = false
    /// When the files are read anew.
    var reload = Configuration.Reload()
    /// What every token says and how long it lives.
    var token = Configuration.Token()
    /// How long tokens are kept for further requests.
    var cache = Configuration.Cache()
    /// The names and values of an answer.
    var answer = Configuration.Answer()
    /// Which web pages of other origins may ask.
    var cors = Configuration.CORS()
    /// How often somebody may ask.
    var limits = Configuration.Limits()
    /// The proxies in front.
    var proxies = Configuration.Proxies()
    /// The audit trail.
    var audit = Configuration.Audit()
    /// Requests that the daemon makes itself.
    var outgoing = Configuration.Outgoing()
    /// How requests are read.
    var request = Configuration.Request()
    /// The HTTP server's limits.
    var http = Configuration.HTTP()
    /// HTTP/2.
    var http2 = Configuration.HTTP2()
    /// What is logged.
    var log = Configuration.Log()
}
