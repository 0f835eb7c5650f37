/// A connection's life as one enum: an event goes in, an action comes out, and no socket is near.
struct ConnectionMachine {
    enum State: Equatable {
        /// Before the first request: the proxy that connected has to name its client.
        case unannounced
        /// Before the first request of a secure connection; what the handshake waits for, or nothing while its next
        /// step waits for the loop.
        case handshaking(Interest)
        /// Between two requests.
        case idle
        /// A part of a request has arrived.
        case receiving
        /// The whole request has arrived, and its answer is pending.
        case answering
        /// The request is answered before its body has come; what comes of that is dropped.
        case discarding
        /// A protocol is spoken that has several requests at a time.
        case streaming(StreamPhase)
        /// The peer takes its answers more slowly than they are given.
        case flushing(then: Progress)
        /// The last answer is sent; what the peer still sends is read and dropped, so that it reads the answer and not
        /// a reset. `takenBy`: when it must have taken the answer.
        case lingering(left: Int, takenBy: UInt64)
        /// Both sides have said all, but the peer has not taken all yet: to close would leave that to the kernel, which
        /// keeps it for minutes.
        case leaving
        case closed
    }

    /// How far the received bytes have brought the connection.
    enum Progress: Equatable {
        /// Every request is answered, and nothing is left over.
        case idle
        /// The last request is not whole yet.
        case partial
        /// Every request is answered, but the last one's body is still coming.
        case discarding
        /// A protocol that has several requests at a time has come so far.
        case streams(StreamPhase)
        /// An answer is pending: it waits for work, or is promised.
        case working
        /// The last answer is given; to linger is to let the peer finish first.
        case done(lingers: Bool)
        /// There may be whole requests among the bytes that are left.
        case more

        /// Whether the connection ends.
        var isLast: Bool {
            if case .done = self { true } else { false }
        }
    }

    enum Action: Equatable {
        case wait(Interest)
        /// Go on with the bytes that are left.
        case proceed
        /// Close if the peer has taken all, and linger if not: `finish` decides.
        case finish
        /// End our side, and wait until the peer ends its own and has taken all.
        case linger
        /// Answer that the request took too long, or end the streams that do.
        case timeOut
        case close
    }

    static let lingerBytes = 65_536

    private(set) var state: State
    /// When `deadlinePassed` is due, on the monotonic clock; never while an answer is pending.
    private(set) var deadline: UInt64
    /// When the present wait began.
    private(set) var since: UInt64
    private(set) var isDraining = false
    private(set) var isOverLimit = false
    /// Whether a whole request has come.
    private(set) var hasAsked = false
    let timeouts: ConnectionTimeouts

    init(timeouts: ConnectionTimeouts, at now: UInt64, isAnnounced: Bool = true, isSecure: Bool = false) {
        self.timeouts = timeouts
        state = !isAnnounced ? .unannounced : isSecure ? .handshaking(.readable) : .idle
        deadline = now + (state == .idle ? timeouts.idle : timeouts.head)
        since = now
    }

    /// A handshake goes on once the socket is so, or once the loop has time for it; its own time goes on with it.
    mutating func handshakeWaits(for interest: Interest) -> Action {
        state = .handshaking(interest)
        return .wait(interest)
    }

    /// The first request may come.
    mutating func handshakeDone(at now: UInt64) -> Action { advance(.idle, at: now) }

    /// Whether bytes from the peer are wanted.
    var reads: Bool {
        switch state {
        case .unannounced, .idle, .receiving, .discarding, .lingering: true
        case .handshaking(let interest): interest != .nothing
        case .streaming(let phase): phase != .closing
        case .answering, .flushing, .leaving, .closed: false
        }
    }

    /// Whether it is between two requests.
    @inline(__always)
    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// Whether the peer has to take what it was sent before anything else.
    var flushes: Bool {
        if case .flushing = state { true } else { false }
    }

    /// Whether everything is answered, and only the peer's FIN is waited for.
    var waitsForEnd: Bool {
        switch state {
        case .lingering, .leaving: true
        default: false
        }
    }

    /// Whether the connection is not secure yet.
    var handshakes: Bool {
        if case .handshaking = state { true } else { false }
    }

    /// Whether streams are open.
    var hasStreams: Bool { state == .streaming(.busy) || state == .streaming(.closing) }

    /// Whether requests are answered as streams.
    var streams: Bool {
        if case .streaming = state { true } else { false }
    }

    /// The received bytes are dealt with, and the answers given to the kernel, or as many as it would take.
    mutating func settle(_ progress: Progress, isFlushed: Bool, at now: UInt64) -> Action {
        guard isFlushed else {
            // Streams may have more to send once the peer has taken this.
            let next = if case .streams = progress { Progress.more } else { progress }
            // A peer that takes a part of it gets no more time for the rest.
            let (since, end) = flushes ? (since, deadline) : (now, now + timeouts.write)
            enter(.flushing(then: next), at: since, until: end)
            return .wait(.writable)
        }
        return advance(progress, at: now)
    }

    private mutating func advance(_ progress: Progress, at now: UInt64) -> Action {
        switch progress {
        case .idle: enter(.idle, at: now, until: last(now + untilTaken))
        case .working: enter(.answering, at: now, until: .max)
        case .streams(let phase):
            enter(phase, at: now)
            return .wait(phase == .closing ? .nothing : .readable)
        case .partial:
            if case .receiving = state { break }
            enter(.receiving, at: now, until: last(now + request))
        case .discarding:
            // The body has the time that a head has, in all: no answer is pending, so the end is silent.
            if state == .discarding { break }
            enter(.discarding, at: now, until: now + request)
        case .more:
            state = .idle
            return .proceed
        case .done(lingers: true):
            // The kernel may still hold a part: the time to take that does not begin again.
            let end = flushes ? deadline : now + timeouts.write
            enter(
                .lingering(left: ConnectionMachine.lingerBytes, takenBy: end), at: now,
                until: min(end, now + timeouts.linger))
            return .linger
        case .done(lingers: false): return .finish
        }
        return .wait(.readable)
    }

    /// The last answer is given, and nothing is left unread. What the peer has not taken waits here: to close would leave
    /// it to the kernel, of as many connections as the peer likes.
    mutating func finish(isTaken: Bool, at now: UInt64) -> Action {
        isTaken ? end() : advance(.done(lingers: true), at: now)
    }

    /// What the peer sends without asking for anything does not move the end of a phase.
    private mutating func enter(_ phase: StreamPhase, at now: UInt64) {
        guard state != .streaming(phase) else { return }
        switch phase {
        case .opening: enter(.streaming(phase), at: now, until: last(now + timeouts.head))
        case .idle: enter(.streaming(phase), at: now, until: last(now + untilTaken))
        case .busy, .closing: enter(.streaming(phase), at: now, until: now + timeouts.stream)
        }
    }

    /// After so long an idle connection is looked at: its peer should have taken the answers by then.
    private var untilTaken: UInt64 {
        isDraining ? timeouts.drainIdle : min(timeouts.idle, timeouts.write - timeouts.write / 6)
    }

    /// A connection beyond the limits has one request to make, and its time for it does not begin again.
    private func last(_ moment: UInt64) -> UInt64 { isOverLimit ? min(deadline, moment) : moment }

    private mutating func enter(_ next: State, at now: UInt64, until moment: UInt64) {
        state = next
        since = now
        deadline = moment
    }

    /// A request has become whole: whatever partial one comes next has its own time.
    mutating func requestBegan() {
        hasAsked = true
        switch state {
        case .receiving, .discarding: state = .idle
        // Whatever comes of it, another time begins.
        case .streaming(.idle): state = .streaming(.opening)
        default: return
        }
    }

    /// The kernel took a part of what was held back, or all of it.
    mutating func flushed(all isFlushed: Bool, at now: UInt64) -> Action {
        guard case .flushing(let progress) = state else { return .wait(.readable) }
        return settle(progress, isFlushed: isFlushed, at: now)
    }

    /// Bytes came after the last answer.
    mutating func dropped(_ count: Int) -> Action {
        guard case .lingering(let left, let takenBy) = state, count <= left else { return end() }
        state = .lingering(left: left - count, takenBy: takenBy)
        return .wait(.readable)
    }

    /// The peer has ended its side; every whole request before that has been answered. `isTaken`: the peer has all that was
    /// sent.
    mutating func peerEnded(at now: UInt64, isTaken: Bool) -> Action { isTaken ? end() : leave(at: now) }

    private mutating func leave(at now: UInt64) -> Action {
        var end = now + (isDraining ? timeouts.drainIdle : timeouts.write)
        switch state {
        case .lingering(_, let takenBy): end = min(end, takenBy)
        case .flushing: end = min(end, deadline)
        default: break
        }
        enter(.leaving, at: now, until: end)
        return .linger
    }

    mutating func deadlinePassed(at now: UInt64, isTaken: Bool) -> Action {
        // Looked at too early: whatever was waited for still is.
        guard now >= deadline else { return .wait(interest) }
        switch state {
        case .idle, .streaming(.idle):
            if let next = nextLook(isTaken: isTaken, at: now) {
                deadline = next
                return .wait(.readable)
            }
            guard streams, isTaken || now >= since + timeouts.idle else { return end() }
            return timeOutStreams(at: now)
        case .receiving: return .timeOut
        case .streaming: return timeOutStreams(at: now)
        case .lingering where !isTaken: return leave(at: now)
        default: return end()
        }
    }

    private mutating func timeOutStreams(at now: UInt64) -> Action {
        deadline = now + timeouts.stream
        return .timeOut
    }

    /// When to look at an idle connection again; nil if its time is up. Its peer may not have taken what was sent a moment
    /// ago, such as the echo of a ping, so that several looks have to find the same.
    private func nextLook(isTaken: Bool, at now: UInt64) -> UInt64? {
        guard !isDraining, !isOverLimit, now < since + timeouts.idle else { return nil }
        if isTaken { return since + timeouts.idle }
        let next = now + timeouts.write / 30
        return next < since + timeouts.write ? next : nil
    }

    /// The server ends: this connection's next answer is its last, unless the peer has asked for more by then.
    mutating func drain(at now: UInt64) {
        isDraining = true
        if state == .idle || state == .unannounced || state == .leaving || handshakes || streams {
            deadline = min(deadline, now + timeouts.drainIdle)
        }
        switch state {
        case .receiving, .discarding: deadline = min(deadline, now + timeouts.drainHead)
        default: break
        }
    }

    /// How long a request may take to arrive.
    private var request: UInt64 { isDraining ? min(timeouts.head, timeouts.drainHead) : timeouts.head }

    /// There are more connections than there may be: this one's next answer is its last, and has to be asked for soon.
    mutating func exceedLimit(at now: UInt64) {
        isOverLimit = true
        deadline = min(deadline, now + timeouts.overLimit)
    }

    /// Whether a connection beyond the limits still has to make its request.
    var isUnheard: Bool {
        switch state {
        case .unannounced, .handshaking, .idle, .receiving, .streaming(.opening), .streaming(.idle): true
        default: false
        }
    }

    var interest: Interest {
        switch state {
        case .handshaking(let interest): interest
        case .flushing: .writable
        case .answering, .streaming(.closing), .closed: .nothing
        case .leaving: .end
        default: .readable
        }
    }

    private mutating func end() -> Action {
        state = .closed
        return .close
    }
}

/// How far a session has come; one that has come to its end is in none of these.
package enum StreamPhase: Sendable, Equatable {
    /// The peer has not said yet that it speaks the protocol.
    case opening
    /// No stream is open.
    case idle
    case busy
    /// The peer has ended its side, and answers are pending or on their way.
    case closing
}
