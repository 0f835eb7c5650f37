import Concurrency

/// How many connections are open, in all and to each subscriber; shared by all loops, and asked only when a connection
/// opens or closes.
///
/// A small reserve beyond both limits is still served, so that clients get the reason why they are refused, and health
/// checks are answered. It never stays full: the connection that has been in it longest is evicted for the next one.
final class ConnectionLimiter: Sendable {
    /// Connections over the limit that are served: in all, and of one subscriber.
    private static let reserve = 64
    private static let reservePerAddress = 4

    /// How many places of so many are the last ones; none where there are few.
    static func lastPlaces(of most: Int) -> Int { most / 32 }

    private struct Counts {
        var maxTotal: Int
        var maxPerAddress: Int
        var total = ConnectionSlots()
        var bySubscriber: [IPAddress: Subscriber] = [:]

        var all: Places { Places(taken: total.count, most: maxTotal) }

        func places(of subscriber: IPAddress) -> Places {
            Places(taken: bySubscriber[subscriber]?.slots.count ?? 0, most: maxPerAddress)
        }
    }

    /// The places under a limit. Before the last ones are taken, unused connections are closed.
    private struct Places {
        let taken: Int
        let most: Int

        private var last: Int { ConnectionLimiter.lastPlaces(of: most) }
        var isCrowded: Bool { last > 0 && taken > most - last }
        /// How many connections are to be closed so that the last places become free.
        var surplus: Int { isCrowded ? taken - (most - last - last / 2) : 0 }
        /// The last step that may close them.
        var lastStep: MemoryPressure.Step { taken > most - last / 2 ? .stalled : .silent }
    }

    private struct Subscriber {
        var slots = ConnectionSlots()
        let account = MemoryAccount()
    }

    /// How a connection is counted.
    struct Admission {
        /// Whether it is within both limits.
        let isAdmitted: Bool
        /// What its address holds; nil without an address.
        let account: MemoryAccount?
        /// Whether it has one of the last places in all.
        var isCrowded = false
        /// Whether it has one of the last places of its address.
        var isAddressCrowded = false
    }

    private let counts: Guarded<Counts>

    init(maxTotal: Int, maxPerAddress: Int) {
        counts = Guarded(Counts(maxTotal: maxTotal, maxPerAddress: maxPerAddress))
    }

    /// Limits connections that come from now on to so many; those that are open stay.
    func limit(total: Int, perAddress: Int) {
        counts.withLock { ($0.maxTotal, $0.maxPerAddress) = (total, perAddress) }
    }

    /// How many more connections may be open in all.
    var freePlaces: Int { counts.withLock { max($0.maxTotal - $0.total.count, 0) } }

    /// All that are open, including those beyond a limit.
    var openConnections: Int { counts.withLock { $0.total.count } }

    /// How many connections are to be closed so that the last places become free, and the last step that may close
    /// them.
    var surplus: (connections: Int, lastStep: MemoryPressure.Step) {
        counts.withLock { ($0.all.surplus, $0.all.lastStep) }
    }

    /// How many connections of an address are to be closed so that its last places become free.
    func surplus(of address: IPAddress) -> Int { counts.withLock { $0.places(of: address.subscriber).surplus } }

    /// Whether an address gets no further place while the last ones are taken: it has a thirty-second of all.
    func isOverShare(_ address: IPAddress?) -> Bool {
        guard let subscriber = address?.subscriber else { return false }
        return counts.withLock { ($0.bySubscriber[subscriber]?.slots.count ?? 0) > $0.maxTotal / 32 }
    }

    /// What an address holds; nil if it has no connection.
    func account(of address: IPAddress?) -> MemoryAccount? {
        guard let subscriber = address?.subscriber else { return nil }
        return counts.withLock { $0.bySubscriber[subscriber]?.account }
    }

    /// Counts a connection in all and among those of its peer. Without an address, as on a unix socket, only the total
    /// limits. `isFull`: it is beyond the limits, whatever the counts.
    func opened(_ place: ConnectionPlace, from peer: IPAddress?, isFull: Bool = false) -> Admission {
        let (total, own, isCrowded) = counts.withLock { counts in
            let total = counts.total.open(place, most: isFull ? 0 : counts.maxTotal, reserve: Self.reserve)
            return (total, countOwn(place, peer, &counts), counts.all.isCrowded)
        }
        evict(total.evicted)
        evict(own.evicted)
        return Admission(
            isAdmitted: total.isAdmitted && own.isAdmitted, account: own.account, isCrowded: isCrowded,
            isAddressCrowded: own.isCrowded)
    }

    /// Counts a connection that is open already among those of an address; whether it is within their limit.
    func announced(_ place: ConnectionPlace, for address: IPAddress) -> Admission {
        let own = counts.withLock { countOwn(place, address, &$0) }
        evict(own.evicted)
        return Admission(isAdmitted: own.isAdmitted, account: own.account, isAddressCrowded: own.isCrowded)
    }

    private func countOwn(
        _ place: ConnectionPlace, _ peer: IPAddress?, _ counts: inout Counts
    ) -> (isAdmitted: Bool, evicted: ConnectionPlace?, account: MemoryAccount?, isCrowded: Bool) {
        guard let address = peer?.subscriber else { return (true, nil, nil, false) }
        let most = counts.maxPerAddress
        let (isAdmitted, evicted) = counts.bySubscriber[address, default: Subscriber()].slots
            .open(place, most: most, reserve: Self.reservePerAddress)
        return (isAdmitted, evicted, counts.bySubscriber[address]?.account, counts.places(of: address).isCrowded)
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
            counts.bySubscriber[subscriber]?.slots.close(place)
            if counts.bySubscriber[subscriber]?.slots.isEmpty == true { counts.bySubscriber[subscriber] = nil }
        }
    }
}
