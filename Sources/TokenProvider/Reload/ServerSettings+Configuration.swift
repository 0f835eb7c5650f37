import CallerAccess
import HTTPServer
import HTTPServerHTTP2
import ServiceConfiguration

extension ServerSettings {
    /// Throws if the limits of HTTP/2 contradict each other.
    init(_ values: Configuration) throws(HTTP2Error) {
        let (http, http2) = (values.http, values.http2)
        self.init()
        loops = http.loops
        unixSocketMode = http.unixSocketMode
        sharesPorts = http.sharesPorts
        let takesIDs = values.request.takesIDs
        takesRequestID = { takesIDs && APIKey.beginning(in: $0.utf8) == nil }
        maxConnections = http.maxConnections
        maxConnectionsPerAddress = http.maxConnectionsPerAddress
        memory = MemoryLimits(values.limits)
        drainTimeout = http.drainTimeout.nanoseconds
        proxyProtocolFrom = values.proxies.proxyProtocol
        timeouts.head = http.headerTimeout.nanoseconds
        timeouts.idle = http.idleTimeout.nanoseconds
        timeouts.write = http.writeTimeout.nanoseconds
        limits = http.limits
        guard http2.isEnabled || values.allListeners.contains(where: values.speaksH2C) else { return }
        streams = try HTTP2(http2.limits).streams
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
