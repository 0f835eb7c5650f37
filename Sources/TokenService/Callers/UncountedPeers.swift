import HTTPServer
import Logging
import Synchronization

/// Warns of a peer on this machine that was refused and that no limit of addresses counts: it may be a proxy, and whoever
/// asks by it may go on trying.
package final class UncountedPeers: Sendable {
    private let logger: Logger
    private let told = Atomic(false)

    init(logger: Logger) { self.logger = logger }

    /// Warns, the first time that there is such a peer.
    func look(at peer: IPAddress) {
        guard !told.load(ordering: .relaxed), !told.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            "a peer on this machine, which no limit of addresses counts, was refused; if it is a proxy, name it in proxies",
            metadata: ["peer": "\(peer)"])
    }
}
