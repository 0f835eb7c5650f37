/// Which connections there are, and which of them takes the next request: a state machine without sockets or a clock.
///
/// Requests go to the first connection with room, so that as few as possible carry as many as possible: what goes out
/// together costs one system call.
struct ConnectionPool: Sendable {
    /// How many connections there are, and their times.
    struct Limits: Sendable {
        var connections = 8
        /// Requests of one connection, if its server allows as many.
        var streams = 100
        var idleTime: Nanoseconds = 60_000_000_000
        /// The time between a connection that could not be opened and the next one, while there are others.
        var pause: Nanoseconds = 1_000_000_000
        /// The time until a new connection takes requests.
        var connectTime = Duration.seconds(3)
    }

    private enum Phase { case opening, open, draining }

    private struct Member {
        let id: Int
        var phase = Phase.opening
        var active = 0
        var limit = 0
        var idleSince: Nanoseconds = 0

        var room: Int { phase == .open ? max(0, limit - active) : 0 }
    }

    private let limits: Limits
    private var members: [Member] = []
    private var nextID = 0
    /// No further connection is opened before this time, if there are others.
    private var pausedUntil: Nanoseconds = 0

    init(_ limits: Limits = Limits()) { self.limits = limits }

    /// The requests that connections carry.
    var active: Int { members.reduce(0) { $0 + $1.active } }

    /// Whether some connection is open.
    var hasOpen: Bool { members.contains { $0.phase == .open } }

    /// Whether some connection takes requests, now or once it is open.
    var isUsable: Bool { members.contains { $0.phase != .draining } }

    /// The identifier of a connection to open for so many waiting requests; nil if there are enough. Before one is
    /// known to be accepted, there is only one.
    mutating func open(forWaiting waiting: Int, at now: Nanoseconds) -> Int? {
        let usable = members.filter { $0.phase != .draining }
        guard waiting > 0, usable.count < limits.connections, members.count < 2 * limits.connections else { return nil }
        if !usable.isEmpty {
            guard hasOpen, now >= pausedUntil else { return nil }
            // A server that allows no requests would not allow them on another connection.
            guard !usable.contains(where: { $0.phase == .open && $0.limit == 0 }) else { return nil }
        }
        let room = usable.reduce(0) { $0 + ($1.phase == .opening ? usualStreams : $1.room) }
        guard waiting > room else { return nil }
        defer { nextID += 1 }
        members.append(Member(id: nextID))
        return nextID
    }

    /// The connection that takes the next request; nil if none has room.
    mutating func take() -> Int? {
        guard let index = members.firstIndex(where: { $0.room > 0 }) else { return nil }
        members[index].active += 1
        return members[index].id
    }

    /// A connection's server allows so many requests at once.
    mutating func allow(_ streams: Int, on id: Int, at now: Nanoseconds) {
        let limit = min(streams, limits.streams)
        change(id) { member in
            if member.phase == .opening { (member.phase, member.idleSince) = (.open, now) }
            member.limit = limit
        }
    }

    /// A connection takes no further requests.
    mutating func drain(_ id: Int) { change(id) { $0.phase = .draining } }

    /// A request of a connection has ended.
    mutating func end(on id: Int, at now: Nanoseconds) {
        change(id) { member in
            member.active = max(0, member.active - 1)
            member.idleSince = now
        }
    }

    /// A connection has ended.
    mutating func remove(_ id: Int, at now: Nanoseconds) {
        let wasOpening = members.contains { $0.id == id && $0.phase == .opening }
        members.removeAll { $0.id == id }
        if wasOpening { pausedUntil = now + limits.pause }
    }

    /// The connections to close: those without requests that are draining, or have been so for some time.
    func idle(at now: Nanoseconds) -> [Int] {
        members.filter { $0.active == 0 && ($0.phase == .draining || idleEnd($0).map { $0 <= now } ?? false) }
            .map(\.id)
    }

    /// When the next connection has been without requests for too long; nil if all have some.
    var nextIdleEnd: Nanoseconds? { members.compactMap(idleEnd).min() }

    /// When another connection may be opened after one that could not; nil without such a pause.
    func nextTry(at now: Nanoseconds) -> Nanoseconds? { pausedUntil > now ? pausedUntil : nil }

    private func idleEnd(_ member: Member) -> Nanoseconds? {
        member.phase == .open && member.active == 0 ? member.idleSince + limits.idleTime : nil
    }

    /// What another connection is expected to allow.
    private var usualStreams: Int { members.first { $0.phase == .open }?.limit ?? limits.streams }

    private mutating func change(_ id: Int, _ body: (inout Member) -> Void) {
        if let index = members.firstIndex(where: { $0.id == id }) { body(&members[index]) }
    }
}
