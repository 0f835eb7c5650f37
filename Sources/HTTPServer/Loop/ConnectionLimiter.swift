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
        var bySubscriber: [IPAddress: Int] = [:]
    }

    private let maxTotal: Int
    private let maxPerAddress: Int
    private let counts = Guarded(Counts())

    init(maxTotal: Int, maxPerAddress: Int) {
        self.maxTotal = maxTotal
        self.maxPerAddress = maxPerAddress
    }

    /// Counts a connection, unless it is refused. Where there is no address, as on a unix socket, only the total limits.
    func opened(_ peer: IPAddress?) -> Admission {
        counts.withLock { counts in
            let total = Self.admission(counts.total, most: maxTotal, reserve: Self.reserve)
            guard total != .refused else { return .refused }
            let own = countOwn(peer, &counts)
            guard own != .refused else { return .refused }
            counts.total += 1
            return total == .admitted ? own : total
        }
    }

    /// Counts a connection that is open already among those of an address, unless it is refused.
    func announced(_ address: IPAddress) -> Admission {
        counts.withLock { countOwn(address, &$0) }
    }

    private func countOwn(_ peer: IPAddress?, _ counts: inout Counts) -> Admission {
        guard let subscriber = peer?.subscriber else { return .admitted }
        let own = counts.bySubscriber[subscriber, default: 0]
        let admission = Self.admission(own, most: maxPerAddress, reserve: Self.reservePerAddress)
        if admission != .refused { counts.bySubscriber[subscriber] = own + 1 }
        return admission
    }

    private static func admission(_ count: Int, most: Int, reserve: Int) -> Admission {
        count < most ? .admitted : count < most + reserve ? .overLimit : .refused
    }

    func closed(_ peer: IPAddress?) {
        counts.withLock { counts in
            counts.total -= 1
            guard let subscriber = peer?.subscriber, let count = counts.bySubscriber[subscriber] else { return }
            counts.bySubscriber[subscriber] = count > 1 ? count - 1 : nil
        }
    }
}
