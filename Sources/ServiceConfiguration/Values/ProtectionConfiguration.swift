import HTTPClient
import HTTPServer

extension Configuration {
    /// How many requests a caller may make, and what clients may hold; rates are requests per second, and 0 means no
    /// limit.
    package struct Limits: Sendable, Equatable {
        /// Of one client address.
        package var addressRate = 50.0
        /// Requests of one address that may come at once after a pause.
        package var addressBurst = 200
        /// Of one principal.
        package var principalRate = 10.0
        /// Requests of one principal that may come at once after a pause.
        package var principalBurst = 100
        /// Refusals of one address or principal.
        package var failureRate = 0.5
        /// Refusals that may come at once after a pause.
        package var failureBurst = 20
        /// Bytes that clients may make the daemon and the kernel hold; nil for a part of the memory that there is.
        package var memory: Int?
        /// The same of one address, while memory is short; nil for a part of that.
        package var memoryPerAddress: Int?
        /// How many addresses, and how many principals, are counted.
        package var maxEntries = 1 << 20
    }

    /// The proxies in front.
    package struct Proxies: Sendable, Equatable {
        /// The addresses of trusted ones.
        package var trusted: [AddressRange] = []
        /// The header in which they name the client.
        package var header = Header.xForwardedFor
        /// Whether peers on unix sockets are trusted proxies.
        package var unixSockets = false
        /// Those that begin each connection with the PROXY protocol.
        package var proxyProtocol: [AddressRange] = []

        /// A header that proxies write.
        package enum Header: String, CaseIterable, Sendable {
            case xForwardedFor = "x-forwarded-for"
            case forwarded
        }
    }

    /// The audit log.
    package struct Audit: Sendable, Equatable {
        /// Where it goes.
        package var output = Output.none
        /// Its file.
        package var file: String?
        /// Whether the reuse of a cached token is recorded too.
        package var reused = true
        /// Where checkpoints go; nil for the log.
        package var checkpoints: Checkpoints?

        /// A place that is not the audit log's.
        package enum Checkpoints: Sendable, Equatable {
            case file(String)
            case url(OutgoingURL)
        }

        /// Where the audit log goes.
        package enum Output: String, CaseIterable, Sendable {
            case none, file, stdout, syslog, journald
        }
    }

    /// Requests that the daemon makes itself.
    package struct Outgoing: Sendable, Equatable {
        /// The certificate authorities that are trusted for servers, instead of the system's.
        package var caFile: String?
        /// Where the proxy is named; nil for none.
        package var proxy: Proxy?
        /// The hosts that are reached without it.
        package var noProxy: [ProxyException] = []

        /// The proxy, or the file that holds its URL.
        package enum Proxy: Sendable, Equatable {
            case url(OutgoingProxy)
            case file(String)
        }
    }
}
