import HTTPServer
import ServiceConfiguration

/// A limit of descriptors that is too low: the daemon would listen, but accept no connection and no signal.
struct DescriptorShortage: Error, CustomStringConvertible {
    /// Standard streams, Dispatch and its signals, the log and the audit log, files, requests to other services, and a few
    /// connections.
    private static let own = 24
    /// An event loop's epoll descriptor and its mailbox.
    private static let perLoop = 2

    /// The most descriptors that are not connections, rounded up.
    private static let ownWhileServing = 64

    let limit: Int
    let needed: Int

    /// Throws if the limit is too low to serve this configuration.
    static func check(_ configuration: Configuration) throws(DescriptorShortage) {
        var settings = ServerSettings()
        settings.loops = configuration.http.loops
        let apps = configuration.listeners(serving: .public).count
        let admin = configuration.listeners(serving: .admin).count
        let ofAdmin = admin > 0 ? perLoop + admin : 0
        // Those of the process with keys, and of another during a reload.
        let ofSigning = configuration.signing.process == .separate ? 2 * (settings.loopCount + 2) + 1 : 0
        let needed = own + settings.loopCount * (perLoop + apps) + ofAdmin + ofSigning
        let limit = Server.raiseDescriptorLimit()
        guard limit >= needed else { throw DescriptorShortage(limit: limit, needed: needed) }
    }

    /// What a limit that is too low for all connections means.
    static func warnings(of configuration: Configuration) -> [String] {
        let (limit, most) = (Server.raiseDescriptorLimit(), configuration.http.maxConnections)
        guard limit < most + ownWhileServing else { return [] }
        return [
            "http.max_connections is \(most), but the limit of file descriptors is \(limit); expected a higher limit "
                + "(ulimit -n, LimitNOFILE=) or fewer connections"
        ]
    }

    var description: String {
        "the limit of file descriptors is \(limit), which is too low to serve; expected at least \(needed) (ulimit -n, "
            + "LimitNOFILE=)"
    }
}
