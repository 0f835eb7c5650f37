@testable import HTTPServer

/// A whole connection: the input is bytes from the peer, times between them, and what the kernel takes of the answers,
/// and drives the parser and `ConnectionMachine` as the shell does. The model: as many answers as the bytes have requests,
/// whatever the times, unless time ends the connection; no request takes longer than it may; a slow reader gets no more
/// time; what is closed stays closed; without events a connection ends.
enum ConnectionTarget {
    private static let timeouts = ConnectionTimeouts(
        head: 50, idle: 200, write: 80, linger: 20, drainIdle: 30, drainHead: 15, overLimit: 25)

    static func run(_ input: [UInt8]) {
        guard let options = input.first else { return }
        var shell = Shell(isSecure: options & 1 == 1)
        var rest = input.dropFirst()
        while let command = rest.popFirst(), !shell.isClosed {
            switch command >> 6 {
            case 0:
                let count = min(Int(command & 63), rest.count)
                shell.receive(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            case 1: shell.pass(UInt64(command & 63))
            case 2: shell.take(Int(command & 63))
            default: shell.control(command & 63)
            }
            shell.check()
        }
        shell.endByTime()
    }

    /// What a connection does around its machine.
    private struct Shell {
        private var machine: ConnectionMachine
        private var now: UInt64 = 1
        private var buffer: [UInt8] = []
        private var received: [UInt8] = []
        private var owed = 0
        private var answers = 0
        private var isLast = false
        private var timedOut = false
        /// Whether something else than the client's bytes may have ended it.
        private var isDisturbed = false
        private var partialSince: UInt64?
        private var flushEnd: UInt64?
        private var skipped = 0
        private var isTaken = true
        private let parser = RequestParser(
            limits: HTTPLimits(maxLine: 64, maxHead: 128, maxFields: 4, maxDiscardedBody: 32))

        init(isSecure: Bool) {
            machine = ConnectionMachine(timeouts: timeouts, at: 1, isSecure: isSecure)
        }

        var isClosed: Bool { machine.state == .closed }

        mutating func receive(_ bytes: [UInt8]) {
            guard machine.reads, !bytes.isEmpty else { return }
            if machine.handshakes { return perform(machine.handshakeDone(at: now)) }
            if case .lingering = machine.state { return perform(machine.dropped(bytes.count)) }
            received += bytes
            buffer += bytes
            readOn()
        }

        mutating func pass(_ time: UInt64) {
            now += time
            guard now >= machine.deadline, !isClosed else { return }
            let before = machine.state
            let action = machine.deadlinePassed(at: now, isTaken: isTaken)
            if action == .timeOut {
                guard case .receiving = before else { return require(false, "\(before) is timed out") }
                timedOut = true
                answers += 1
                isLast = true
                return perform(machine.settle(.done(lingers: true), isFlushed: true, at: now))
            }
            if action == .close { isDisturbed = true }
            perform(action)
        }

        /// The kernel takes so many bytes of what is owed, or the promised answer is given.
        mutating func take(_ count: Int) {
            if machine.state == .answering {
                answers += 1
                owed = count
                return perform(machine.settle(isLast ? .done(lingers: true) : .more, isFlushed: owed == 0, at: now))
            }
            guard machine.flushes else { return }
            owed = max(0, owed - count)
            perform(machine.flushed(all: owed == 0, at: now))
        }

        mutating func control(_ command: UInt8) {
            isTaken = command & 4 == 0
            if command & 3 < 3 { isDisturbed = true }
            switch command & 3 {
            case 0: machine.drain(at: now)
            case 1: machine.exceedLimit(at: now)
            case 2: if machine.reads { perform(machine.peerEnded(at: now, isTaken: isTaken)) }
            default:
                let early = min(now, machine.deadline == 0 ? 0 : machine.deadline - 1)
                perform(machine.deadlinePassed(at: early, isTaken: isTaken))
            }
        }

        /// Parses what is there, one request at a time: each waits for its answer.
        private mutating func readOn() {
            let dropped = min(skipped, buffer.count)
            buffer.removeFirst(dropped)
            skipped -= dropped
            if skipped > 0 { return perform(machine.settle(.discarding, isFlushed: true, at: now)) }
            switch parser.parse(buffer.span) {
            case .incomplete:
                perform(machine.settle(buffer.isEmpty ? .idle : .partial, isFlushed: true, at: now))
            case .request(let head):
                machine.requestBegan()
                buffer.removeFirst(head.length)
                if case .discarded(let count) = head.body { skipped = count }
                isLast = !head.isPersistent || machine.isDraining
                perform(machine.settle(.working, isFlushed: true, at: now))
            case .rejection:
                machine.requestBegan()
                isLast = true
                perform(machine.settle(.working, isFlushed: true, at: now))
            }
        }

        private mutating func perform(_ action: ConnectionMachine.Action) {
            switch action {
            case .proceed: readOn()
            case .finish: perform(machine.finish(isTaken: isTaken, at: now))
            case .close: require(isClosed, "\(machine.state) after the close")
            case .linger:
                if case .lingering = machine.state { return }
                require(machine.state == .leaving, "\(machine.state) lingers")
            case .timeOut: break
            case .wait(let interest):
                require((interest == .writable) == machine.flushes, "\(interest) while \(machine.state)")
                require(interest != .readable || machine.reads || machine.state == .answering, "\(machine.state)")
            }
        }

        mutating func check() {
            if machine.state == .receiving {
                let since = machine.since
                require(machine.deadline <= since + timeouts.head, "a request has more time than it may")
                require(partialSince ?? since == since, "a request's time began again")
                partialSince = since
            } else {
                partialSince = nil
            }
            if machine.flushes {
                require(machine.deadline <= flushEnd ?? now + timeouts.write, "a slow reader has more time")
                flushEnd = machine.deadline
            } else {
                flushEnd = nil
            }
            require((machine.deadline == .max) == (machine.state == .answering) || machine.isOverLimit, "\(machine)")
            let isWaiting = machine.sheddingStep != nil && !machine.isOverLimit && !machine.isDraining
            require(!isWaiting || machine.since <= now, "waits since a time to come")
            require(isClosed || answers <= requests(), "\(answers) answers to \(requests()) requests")
        }

        /// Requests, or refusals, that the bytes hold when they are read without a connection.
        private func requests() -> Int {
            var (rest, count) = (received[...], timedOut ? 1 : 0)
            while true {
                switch parser.parse(Array(rest).span) {
                case .incomplete: return count
                case .rejection: return count + 1
                case .request(let head):
                    count += 1
                    var length = head.length
                    if case .discarded(let bytes) = head.body { length += bytes }
                    guard head.isPersistent, length <= rest.count else { return count }
                    rest = rest.dropFirst(length)
                }
            }
        }

        /// The machine answers every request and then ends the connection, although its client neither reads nor writes.
        mutating func endByTime() {
            for _ in 0..<1000 where machine.state == .answering || machine.flushes { take(machine.flushes ? .max : 0) }
            require(isDisturbed || answers == requests(), "\(answers) answers to \(requests()) requests")
            for _ in 0..<200 where !isClosed {
                if machine.state == .answering {
                    take(0)
                } else {
                    pass(machine.deadline > now ? machine.deadline - now : 0)
                }
            }
            require(isClosed, "\(machine.state) does not end")
        }
    }
}
