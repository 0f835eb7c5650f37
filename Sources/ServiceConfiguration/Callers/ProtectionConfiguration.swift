import HTTPServer

extension Configuration {
    /// How often somebody may ask; rates are requests per second, and 0 stands for no limit.
    package struct Limits: Sendable, Equatable {
        /// Of one client address.
        package var addressRate = 50.0
        /// How many requests of one address may come at once after a pause.
        package var addressBurst = 200
        /// Of one principal.
        package var principalRate = 10.0
        /// How many requests of one principal may come at once after a pause.
        package var principalBurst = 100
        /// Refusals of one address or principal.
        package var failureRate = 0.5
        /// How many refusals may come at once after a pause.
        package var failureBurst = 20
        /// How many addresses, and principals, are remembered.
        package var maxEntries = 1 << 20
    }

    /// The proxies in front.
    package struct Proxies: Sendable, Equatable {
        /// Where trusted ones are.
        package var trusted: [AddressRange] = []
        /// The field in which they say whom they speak for.
        package var field = Field.xForwardedFor
        /// Whether a peer on a unix socket is one of them.
        package var unixSockets = false
        /// Those that begin a connection with the PROXY protocol.
        package var proxyProtocol: [AddressRange] = []

        /// A field that proxies write.
        package enum Field: String, CaseIterable, Sendable {
            case xForwardedFor = "x-forwarded-for"
            case forwarded
        }
    }

    /// The audit trail.
    package struct Audit: Sendable, Equatable {
        /// Where it goes.
        package var output = Output.none
        /// Its file.
        package var file: String?
        /// Whether a token that was signed for an earlier request is recorded too.
        package var reused = true

        /// Where a trail goes.
        package enum Output: String, CaseIterable, Sendable {
            case none, file, stdout, syslog, journald
        }
    }

    /// Requests that the daemon makes itself.
    package struct Outgoing: Sendable, Equatable {
        /// The certificate authorities that vouch for servers in place of the system's.
        package var caFile: String?
    }
}
