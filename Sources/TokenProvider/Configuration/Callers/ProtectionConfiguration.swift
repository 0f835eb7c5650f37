import HTTPServer

extension Configuration {
    /// How often somebody may ask; rates are requests per second, and 0 stands for no limit.
    struct Limits: Sendable, Equatable {
        /// Of one client address.
        var addressRate = 50.0
        /// How many requests of one address may come at once after a pause.
        var addressBurst = 200
        /// Of one principal.
        var principalRate = 10.0
        /// How many requests of one principal may come at once after a pause.
        var principalBurst = 100
        /// Refusals of one address or principal.
        var failureRate = 0.5
        /// How many refusals may come at once after a pause.
        var failureBurst = 20
        /// How many addresses, and principals, are remembered.
        var maxEntries = 1 << 20
    }

    /// The proxies in front.
    struct Proxies: Sendable, Equatable {
        /// Where trusted ones are.
        var trusted: [AddressRange] = []
        /// The field in which they say whom they speak for.
        var field = Field.xForwardedFor
        /// Whether a peer on a unix socket is one of them.
        var unixSockets = false
        /// Those that begin a connection with the PROXY protocol.
        var proxyProtocol: [AddressRange] = []

        /// A field that proxies write.
        enum Field: String, CaseIterable, Sendable {
            case xForwardedFor = "x-forwarded-for"
            case forwarded
        }
    }

    /// The audit trail.
    struct Audit: Sendable, Equatable {
        /// Where it goes.
        var output = Output.none
        /// Its file.
        var file: String?
        /// Whether a token that was signed for an earlier request is recorded too.
        var reused = true

        /// Where a trail goes.
        enum Output: String, CaseIterable, Sendable {
            case none, file, stdout, syslog, journald
        }
    }

    /// Requests that the daemon makes itself.
    struct Outgoing: Sendable, Equatable {
        /// The certificate authorities that vouch for servers in place of the system's.
        var caFile: String?
    }
}
