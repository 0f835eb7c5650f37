import CallerAccess
import HTTPServer
import Queueing

/// Tokens that wait to be verified: addresses take turns, and so do the connections of each, which may be of different
/// clients. So however many tokens a client sends, a neighbour's waits for one of each connection.
///
/// A value, so that its lock is its one owner. It holds what open connections wait for, and is bounded by their number and
/// memory; what closed ones left goes when its turn comes.
struct VerificationQueue: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Line: Hashable { let address: RateLimitKey, connection: UInt64 }

    /// Never empty lines.
    private var lines: [Line: FIFO<(request: AwaitingRequest, work: Work)>] = [:]
    /// The connections of each address that have a line, in the order of their turns.
    private var connections: [RateLimitKey: FIFO<UInt64>] = [:]
    /// Addresses with such connections, in the order of their turns.
    private var addresses = FIFO<RateLimitKey>()

    /// Adds a request's work.
    mutating func add(_ request: AwaitingRequest, of address: RateLimitKey, _ work: @escaping Work) {
        let line = Line(address: address, connection: request.connection)
        if lines[line] == nil {
            if connections[address] == nil { addresses.append(address) }
            connections[address, default: FIFO()].append(line.connection)
        }
        lines[line, default: FIFO()].append((request, work))
    }

    /// Takes the next work whose client still waits; nil if there is none.
    mutating func next() -> Work? {
        while let next = takeNext() {
            if next.request.isAwaited { return next.work }
        }
        return nil
    }

    private mutating func takeNext() -> (request: AwaitingRequest, work: Work)? {
        guard let address = addresses.popFirst(), let connection = connections[address]?.popFirst() else { return nil }
        let line = Line(address: address, connection: connection)
        let next = lines[line]?.popFirst()
        if lines[line]?.isEmpty == false { connections[address]?.append(connection) } else { lines[line] = nil }
        if connections[address]?.isEmpty == false { addresses.append(address) } else { connections[address] = nil }
        return next
    }
}
