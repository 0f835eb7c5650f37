import Locking

/// How many connections are open, in all and to each subscriber; shared by all loops, and asked only when a connection
/// opens or closes.
///
/// A small reserve beyond both limits is still served, so that clients get the reason why they are refused, and health
/// checks are answered. It never stays full: the connection that has been in it longest is evicted for the next one.
final class ConnectionLimiter: Sendable {
    /// Connections over the limit that are served: in all, and of one subscriber.
    private static let reserve = 64
    private static let reservePerAddress = 4

    private struct Counts {
        var maxTotal: Int
        var maxPerAddress: Int
        var total = ConnectionRoll()
        var bySubscriber: [IPAddress: ConnectionRoll] = [:]
    }

    private let counts: Guarded<Counts>

    init(maxTotal: Int, maxPerAddress: Int) {
        counts = Guarded(Counts(maxTotal: maxTotal, maxPerAddress: maxPerAddress))
    }

    /// Limits connections that come from now on to so many; those that are open stay.
    func limit(total: Int, perAddress: Int) {
        counts.withLock { ($0.maxTotal, $0.maxPerAddress) = (total, perAddress) }
    }

    /// All that are open, including those beyond a limit.
    var openConnections: Int { counts.withLock { $0.total.count } }

    /// Counts a connection in all and among those of its peer; whether it is within both limits. Where there is no
    /// address, as on a unix socket, only the total limits.
    func opened(_ place: ConnectionPlace, from peer: IPAddress?) -> Bool {
        let (total, own) = counts.withLock { counts in
            let total = counts.total.open(place, most: counts.maxTotal, reserve: Self.reserve)
            return (total, countOwn(place, peer, &counts))
        }
        evict(total.evicted)
        evict(own.evicted)
        return total.isAdmitted && own.isAdmitted
    }

    /// Counts a connection that is open already among those of an address; whether it is within their limit.
    func announced(_ place: ConnectionPlace, for address: IPAddress) -> Bool {
        let own = counts.withLock { countOwn(place, address, &$0) }
        evict(own.evicted)
        return own.isAdmitted
    }

    private func countOwn(
        _ place: ConnectionPlace, _ peer: IPAddress?, _ counts: inout Counts
    ) -> (isAdmitted: Bool, evicted: ConnectionPlace?) {
        guard let subscriber = peer?.subscriber else { return (true, nil) }
        let most = counts.maxPerAddress
        return counts.bySubscriber[subscriber, default: ConnectionRoll()]
            .open(place, most: most, reserve: Self.reservePerAddress)
    }

    private func evict(_ place: ConnectionPlace?) {
        guard let place else { return }
        place.mailbox.post(.evicted(connection: place.connection))
    }

    /// A connection has closed that was counted among those of this address, or in all alone.
    func closed(_ place: ConnectionPlace, from peer: IPAddress?) {
        counts.withLock { counts in
            counts.total.close(place)
            guard let subscriber = peer?.subscriber else { return }
            counts.bySubscriber[subscriber]?.close(place)
            if counts.bySubscriber[subscriber]?.isEmpty == true { counts.bySubscriber[subscriber] = nil }
        }
    }
}
