import CLinux
import Dispatch
import Glibc

/// A server's settings.
package struct ServerSettings: Sendable {
    /// The most loops: each is a thread of Dispatch's pool, which has about 255.
    package static let maxLoops = 128

    /// Event loops, each on its own thread with its own listening sockets; 0 is one for each available processor.
    package var loops = 0
    /// The permissions of the unix sockets; nil for those of the umask.
    package var unixSocketMode: UInt32?
    /// Whether a second process of the same user may listen at the same addresses (socket(7): SO_REUSEPORT), such as
    /// while one replaces the other; unix sockets have no such option.
    package var sharesPorts = false
    /// How long a request and its parts may be.
    package var limits = HTTPLimits()
    /// How long a connection may take over each of its steps.
    package var timeouts = ConnectionTimeouts()
    /// Open connections in all; each takes a descriptor.
    package var maxConnections = 16_384
    /// Open connections of one IPv4 address or IPv6 /64.
    package var maxConnectionsPerAddress = 2048
    /// How much memory clients may make the server hold.
    package var memory = MemoryLimits()
    /// Peers that begin each connection with a header of the PROXY protocol, and speak for the address in
    /// it; they are limited by that address, and not by their own.
    package var proxyProtocolFrom: [AddressRange] = []
    /// A protocol that has several requests at a time on a connection: for secure peers that chose it, and for plain
    /// ones that begin with it where a listener recognises that; nil for none.
    package var streams: StreamProtocol?
    /// Whether a request keeps the well-formed `X-Request-ID` that it came with.
    package var takesRequestID: @Sendable (String) -> Bool = { _ in true }
    /// Nanoseconds from `drain` to the end of connections that have not ended by themselves.
    package var drainTimeout: UInt64 = 8_000_000_000

    /// The defaults.
    package init() {}

    /// How many loops that makes on this machine.
    package var loopCount: Int {
        min(loops > 0 ? loops : Int(clinux_available_processors()), ServerSettings.maxLoops)
    }
}

/// A server of HTTP/1.1, and of what `ServerSettings.streams` adds: loops that accept, parse, ask the application and
/// answer.
package final class Server: Sendable {
    /// Where it listens, with the ports that were chosen; secure listeners come last.
    package let addresses: [SocketAddress]
    /// How many descriptors the process may have, raised as far as the system lets it.
    package let descriptorLimit: Int
    private let loops: [EventLoop]
    private let shared: LoopsShared
    private let running = DispatchGroup()

    /// Opens the listening sockets, except the inherited ones; nothing is accepted before `start`.
    package init(
        listeningOn plain: [PlainListener], secured: [SecureListener] = [],
        inheriting inherited: [InheritedSocket] = [], settings: ServerSettings, application: HTTPApplication
    ) throws(SystemError) {
        descriptorLimit = Server.raiseDescriptorLimit()
        let count = settings.loopCount
        let limiter = ConnectionLimiter(
            maxTotal: Server.places(settings, within: descriptorLimit),
            maxPerAddress: settings.maxConnectionsPerAddress)
        shared = LoopsShared(loopCount: count, limiter: limiter, budget: MemoryBudget(settings.memory))
        var sockets = [[ListeningSocket]](repeating: [], count: count)
        let wanted = plain.map { ($0.address, $0.opening) } + secured.map { ($0.address, .secure($0.secure)) }
        for (address, opening) in wanted {
            let first = try ListeningSocket.first(on: address, among: inherited, opening, settings)
            for index in 0..<count {
                let isFirst = index == 0 || first.isShared
                sockets[index].append(
                    isFirst ? first : try ListeningSocket.open(first.address, opening, sharing: true))
            }
        }
        addresses = sockets.first?.map(\.address) ?? []
        var loops: [EventLoop] = []
        for listeners in sockets {
            loops.append(
                try EventLoop(
                    settings: settings, application: application, listeners: listeners, shared: shared))
        }
        self.loops = loops
    }

    /// Serves, until `drain` or `stop`.
    package func start() {
        for (index, loop) in loops.enumerated() {
            DispatchQueue(label: "loop \(index)").async(group: running) { loop.run() }
        }
    }

    /// Takes no new connection, answers those that are open or already established, and ends (RFC 9112 section 9.6).
    package func drain() {
        for loop in loops { loop.post(.drain) }
    }

    /// Replaces the settings that can change while it serves: the limits of connections, the timeouts of new
    /// connections, the proxies that speak the PROXY protocol, and how long a drain may last.
    package func take(_ settings: ServerSettings) {
        shared.limiter.limit(
            total: Server.places(settings, within: descriptorLimit), perAddress: settings.maxConnectionsPerAddress)
        shared.budget.take(settings.memory)
        for loop in loops { loop.post(.settings(settings)) }
    }

    /// Answers by this application from now on; calls with true once every loop does, on the thread of the last one, or
    /// with false after `patience`, in nanoseconds: a loop may be stuck. Drained loops are not waited for.
    package func serve(
        _ application: HTTPApplication, within patience: UInt64, _ done: @escaping @Sendable (Bool) -> Void
    ) {
        for loop in loops { loop.post(.application(application)) }
        awaitTurns(within: patience, done)
    }

    /// Gives memory that was freed back to the system, after this time. Threads that allocate meanwhile wait for a moment.
    package static func releaseFreedMemory(after delay: DispatchTimeInterval) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) { clinux_release_freed_memory() }
    }

    /// Asks each loop to turn, and calls once as `measureLag` does, with whether all did within `patience`, in
    /// nanoseconds.
    package func awaitTurns(within patience: UInt64, _ done: @escaping @Sendable (Bool) -> Void) {
        measureLag(within: patience) { lags in done(lags.allSatisfy { $0 < patience }) }
    }

    /// Closes everything now.
    package func stop() {
        for loop in loops { loop.post(.stop) }
    }

    /// Calls once every loop has turned or has drained, on the thread of the last one, or on this one if all have
    /// drained; never where one is stuck.
    package func afterTurn(_ done: @escaping @Sendable () -> Void) {
        ask(LagProbe(loops: loops.count, patience: .max) { _ in done() })
    }

    /// What its loops have counted.
    package var statistics: ServerStatistics {
        var sum = ServerStatistics()
        for loop in loops { loop.statistics.add(to: &sum) }
        return sum
    }

    /// Asks each loop to turn, and calls once with the nanoseconds that each took, in their order: when the last has
    /// turned, or after `patience`, which is then the value of those that have not. A drained loop takes no time. Calls
    /// on a thread of Dispatch, of a loop, or on this one.
    package func measureLag(within patience: UInt64, _ done: @escaping @Sendable ([UInt64]) -> Void) {
        let probe = LagProbe(loops: loops.count, patience: patience, done)
        ask(probe)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: patience))) { probe.end() }
    }

    private func ask(_ probe: LagProbe) {
        for (index, loop) in loops.enumerated() { loop.post(.turn { probe.turned(index) }) }
    }

    /// Bytes that its clients make it hold, about, and how many they may (`ServerSettings.memory`).
    package var clientMemory: (used: Int, limit: Int) { (shared.budget.used, shared.budget.limit) }

    /// How many connections are open.
    package var openConnections: Int { shared.limiter.openConnections }

    /// Returns once every loop has ended.
    package func waitUntilStopped() { running.wait() }

    /// How many connections there may be, so that they leave descriptors for what is not a connection and for those beyond
    /// the limit.
    private static func places(_ settings: ServerSettings, within descriptorLimit: Int) -> Int {
        min(settings.maxConnections, descriptorLimit - min(128, descriptorLimit / 2))
    }

    /// Raises the limit of descriptors as far as the system allows, since each connection takes one; returns the limit.
    package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
