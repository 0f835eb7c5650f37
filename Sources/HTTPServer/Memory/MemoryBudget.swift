import Concurrency
import Synchronization

/// How much memory clients may make a server hold, in bytes.
package struct MemoryLimits: Sendable, Equatable {
    /// All of them together.
    package var total: Int
    /// Those of one IPv4 address or IPv6 /64, while more than half of the total is used.
    package var perAddress: Int

    /// The most that clients may hold in all unless they are allowed more.
    package static let largestDefault = 4 << 30

    /// Limits in bytes; an address has a sixteenth if nothing else is said.
    package init(total: Int = largestDefault, perAddress: Int? = nil) {
        (self.total, self.perAddress) = (total, perAddress ?? total / 16)
    }
}

/// What all clients together make a server hold, in bytes: in the process, in the libraries that it uses, and in the
/// kernel. All loops share it.
///
/// Connections are charged when they open or close and when their state grows or shrinks (`MemoryFootprint`), and not
/// for a request that is answered at once.
package final class MemoryBudget: Sendable {
    private let total: Atomic<Int>
    private let perAddress: Atomic<Int>
    private let charged = Atomic(0)
    /// The most that was charged since memory was last looked at.
    private let peak = Atomic(0)
    private let release = Guarded(MemoryRelease())

    init(_ limits: MemoryLimits) {
        total = Atomic(limits.total)
        perAddress = Atomic(limits.perAddress)
    }

    /// Replaces the limits; what is held stays.
    func take(_ limits: MemoryLimits) {
        total.store(limits.total, ordering: .relaxed)
        perAddress.store(limits.perAddress, ordering: .relaxed)
    }

    /// Adds to what is held, or takes from it.
    func charge(_ bytes: Int, to account: MemoryAccount?) {
        let held = charged.wrappingAdd(bytes, ordering: .relaxed).newValue
        // Of two threads' peaks at once one may be lost; the other is about as high.
        if held > peak.load(ordering: .relaxed) { peak.store(held, ordering: .relaxed) }
        account?.charge(bytes)
    }

    /// Bytes that are held.
    var used: Int { charged.load(ordering: .relaxed) }

    /// Bytes that may be held.
    var limit: Int { total.load(ordering: .relaxed) }

    /// Bytes that may be held in addition before new connections are refused.
    var free: Int { max(MemoryPressure.Step.connections.beginning(of: limit) - used, 0) }

    /// Whether shares bind.
    var isHalfUsed: Bool { used > limit / 2 }

    /// Whether an address holds more than its share, where shares bind; `margin`: already if so many bytes less are used
    /// in all.
    func isOverShare(_ account: MemoryAccount?, margin: Int = 0) -> Bool {
        account?.isOver(share(margin: margin)) ?? false
    }

    /// What an address may hold; nil while shares do not bind. Each step of pressure halves it: those who hold most give
    /// way before anybody else.
    func share(margin: Int = 0) -> Int? {
        guard used + margin > limit / 2 else { return nil }
        let halvings = MemoryPressure.Step.reached(by: used + margin, of: limit)?.rawValue ?? 0
        return perAddress.load(ordering: .relaxed) >> halvings
    }

    /// Whether memory that was freed should be given back to the system now, and whether that has to be asked again.
    func releasesMemory(at now: UInt64) -> (now: Bool, later: Bool) {
        let used = used
        let most = peak.exchange(used, ordering: .relaxed)
        return release.withLock { ($0.isDue(holding: used, after: most, at: now), $0.isPending) }
    }
}

/// What the connections of one address hold together, in bytes.
final class MemoryAccount: Sendable {
    /// What an address may hold however short memory is: a handshake, or its first request would come too late.
    private static let least = MemoryFootprint.handshake

    private let charged = Atomic(0)

    var used: Int { charged.load(ordering: .relaxed) }

    /// Whether the address holds more than this share, nil where none binds, and without so many `own` bytes still more than
    /// any address may.
    func isOver(_ share: Int?, own: Int = 0) -> Bool {
        guard let share else { return false }
        let used = used
        return used > share && used - own > Self.least
    }

    func charge(_ bytes: Int) { charged.wrappingAdd(bytes, ordering: .relaxed) }
}

/// When freed memory is given back to the system: the allocator keeps it otherwise, and a flood of a minute would count
/// for as long as the process lives.
struct MemoryRelease {
    /// Less is not worth the time in which no thread can allocate.
    static let leastBytes = 8 << 20
    /// Nanoseconds for which no more than now was held.
    static let quiet: UInt64 = 3_000_000_000

    /// The most that was held since memory was given back.
    private var peak = 0
    private var quietSince: UInt64?

    /// Whether much has been freed that is not given back yet.
    var isPending: Bool { quietSince != nil }

    /// Whether to give memory back, while so many bytes are held, and after `most` were held since the last time; once
    /// for each flood.
    mutating func isDue(holding used: Int, after most: Int, at now: UInt64) -> Bool {
        if most > peak { (peak, quietSince) = (most, nil) }
        guard used <= peak - Self.leastBytes else {
            quietSince = nil
            return false
        }
        let since = quietSince ?? now
        quietSince = since
        guard now >= since + Self.quiet else { return false }
        (peak, quietSince) = (used, nil)
        return true
    }
}

/// What a connection holds, in bytes, where it is not counted but estimated: measured on Debian 12 as resident and
/// kernel memory of a thousand connections in one state, and rounded up.
///
/// Its parts are asked for in steps of a page, so that small changes cost nothing.
package enum MemoryFootprint {
    /// A plain connection between two requests: 0.4 kB of ours, and 5 kB of the kernel's for the socket, its file and
    /// its place in the poller.
    package static let connection = 6144
    /// What a connection holds at most while a transport's handshake goes on, about.
    static let handshake = 65_536
    /// One that is about to be answered: the request, and what its answer waits for.
    static let pending = 1024
    /// What changes are rounded to.
    static let step = 4096

    /// As it is charged: a plain connection as it is, and any other in whole steps.
    static func charge(_ bytes: Int) -> Int {
        bytes <= connection ? connection : (bytes + step - 1) / step * step
    }
}
