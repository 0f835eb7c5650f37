import Locking

/// How many connections are open, in all and to each subscriber; shared by all loops, and asked only when a connection
/// opens or closes.
final class ConnectionLimiter: Sendable {
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

    /// Counts a connection; false, and not counted, if it is one too many. A unix socket's peers have no address, and
    /// only the total limits them.
    func opened(_ peer: PeerAddress?) -> Bool {
        counts.withLock { counts in
            guard counts.total < maxTotal else { return false }
            if let subscriber = peer?.subscriber {
                let count = counts.bySubscriber[subscriber, default: 0]
                guard count < maxPerAddress else { return false }
                counts.bySubscriber[subscriber] = count + 1
            }
            counts.total += 1
            return true
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
