import HTTPServer
import ServiceConfiguration

/// So few descriptors that the daemon would listen, and be deaf to who comes and to signals.
struct DescriptorShortage: Error, CustomStringConvertible {
    /// Standard streams, Dispatch with the signals that it watches, log and audit trail, files and back ends that are asked
    /// meanwhile, and a few connections.
    private static let own = 24
    /// What a loop has besides its listeners: its poller and its mailbox.
    private static let perLoop = 2

    /// How many the process may have.
    let limit: Int
    /// How many it takes to serve at all.
    let needed: Int

    /// Throws where the process may not have what it takes to serve as the configuration says.
    static func check(_ configuration: Configuration) throws(DescriptorShortage) {
        var settings = ServerSettings()
        settings.loops = configuration.http.loops
        let apps = configuration.values.listeners(serving: .public).count
        let admin = configuration.values.listeners(serving: .admin).count
        let ofAdmin = admin > 0 ? perLoop + admin : 0
        let needed = own + settings.loopCount * (perLoop + apps) + ofAdmin
        let limit = Server.raiseDescriptorLimit()
        guard limit >= needed else { throw DescriptorShortage(limit: limit, needed: needed) }
    }

    /// One sentence.
    var description: String {
        "the process may have \(limit) descriptors, too few to serve; expected a limit of at least \(needed) (ulimit -n, "
            + "LimitNOFILE=)"
    }
}
