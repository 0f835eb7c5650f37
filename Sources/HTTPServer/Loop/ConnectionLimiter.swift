import Locking

/// How many connections are open, in all and to each subscriber; shared by all loops, and asked only when a connection
/// opens or closes.
///
/// A small reserve beyond both limits is still heard, so that it can be told why, and so that a health check is answered.
final class ConnectionLimiter: Sendable {
    enum Admission: Equatable {
        case admitted, overLimit, refused
    }

    /// Connections over the limit that are heard: in all, and of one subscriber.
    private static let reserve = 64
    private static let reservePerAddress = 4

    private struct Counts {
        var total = 0
        var bySubscriber: [PeerAddress: Int] = [:]
    }

    private let maxTotal: Int
    private let maxPerAddress: Int
    private let counts = Guarded(Counts())

    init(maxTotal: Int, maxPerAddress: Int) {
        self.maxTotal = maxTotal
        self.maxPerAddress = maxPerAddress
    }

    /// Counts a connection, unless it is refused. A unix socket's peers have no address, and only the total limits
    /// them.
    func opened(_ peer: PeerAddress?) -> Admission {
        counts.withLock { counts in
            let subscriber = peer?.subscriber
            let own = subscriber.map { counts.bySubscriber[$0, default: 0] } ?? 0
            let isWithin = counts.total < maxTotal && own < maxPerAddress
            let isWithinReserve =
                counts.total < maxTotal + Self.reserve && own < maxPerAddress + Self.reservePerAddress
            guard isWithin || isWithinReserve else { return .refused }
            if let subscriber { counts.bySubscriber[subscriber] = own + 1 }
            counts.total += 1
            return isWithin ? .admitted : .overLimit
        }
    }

    func closed(_ peer: PeerAddress?) {
        counts.withLock { counts in
            counts.total -= 1
            guard let subscriber = peer?.subscriber, let count = counts.bySubscriber[subscriber] else { return }
            counts.bySubscriber[subscriber] = count > 1 ? count - 1 : nil
        }
    }
}
