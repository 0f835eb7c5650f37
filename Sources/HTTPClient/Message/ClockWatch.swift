import Concurrency
import Glibc
import StrictJSON

/// How far this machine's clock is from that of an answer's sender (`Date`, RFC 9110 section 6.6.1).
package struct ClockDifference: Hashable, Sendable {
    /// Seconds by which this machine's clock is ahead; negative if it is behind.
    package let seconds: Int64
    /// Who sent the answer.
    package let endpoint: String

    /// The least difference that fits an answer to a request that was sent and answered at these times, in seconds
    /// since the epoch. Nil if the answer has no date.
    package init?(_ response: HTTPClientResponse, from endpoint: String, sentAt: Int64, receivedAt: Int64) {
        guard let text = response.values(of: "date").first, let date = IMFFixdate.epochSeconds(text) else { return nil }
        // A cache repeats the date of the original answer (RFC 9111 section 5.1).
        let sender = date + max(0, min(response.values(of: "age").first.flatMap { Int64($0) } ?? 0, 1 << 31))
        self.endpoint = endpoint
        if sender < sentAt - 1 {
            seconds = sentAt - sender
        } else if sender > receivedAt + 1 {
            seconds = receivedAt - sender
        } else {
            seconds = 0
        }
    }

    /// Whether it is more than so many seconds in either direction.
    package func exceeds(_ tolerance: Int64) -> Bool { seconds.magnitude > tolerance }
}

/// Compares this machine's clock with each answer of other services.
package final class ClockWatch: Sendable {
    private struct State {
        /// By service, with the time of the answer and what the clock showed at the beginning of that time.
        var answers: [String: (difference: ClockDifference, time: Int64, origin: Int64)] = [:]
        /// By service: clients may cause as many answers as they like.
        var reports: [String: LogInterval] = [:]
        var report: (@Sendable (ClockDifference) -> Void)?

        /// An answer tells nothing once the clock was set.
        func differences(_ origin: Int64) -> [ClockDifference] {
            answers.values.filter { (-1...1).contains(origin - $0.origin) }.map(\.difference)
        }
    }

    /// Seconds: issuers' tokens are refused that were issued so far in the future.
    package static let tolerance: Int64 = 60
    /// The process's, as it has one clock.
    package static let shared = ClockWatch()
    /// Seconds between two reports about a service, at least.
    private static let silence: Int64 = 3600
    /// Bounds the labels of the metric; the clocks of more services are not compared.
    private static let mostEndpoints = 64

    private let clock: @Sendable () -> Int64
    private let uptime: @Sendable () -> Int64
    private let state = Guarded(State())

    /// A watch before the first answer; `clock` returns seconds since the epoch, `uptime` those of a clock that is never set.
    package init(
        clock: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
        uptime: @escaping @Sendable () -> Int64 = { Int64(MonotonicTime.now() / 1_000_000_000) }
    ) {
        (self.clock, self.uptime) = (clock, uptime)
    }

    /// Has the first of several differences beyond the tolerance reported.
    package func report(_ report: @escaping @Sendable (ClockDifference) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Forgets the answers before this time in nanoseconds, as other services may be asked since.
    package func forget(before time: UInt64) {
        state.withLock { $0.answers = $0.answers.filter { $0.value.time >= Int64(time / 1_000_000_000) } }
    }

    /// The differences by the last answer of each service, in the order of their names.
    package var differences: [ClockDifference] {
        let origin = clock() - uptime()
        return state.withLock { $0.differences(origin) }.sorted { $0.endpoint < $1.endpoint }
    }

    /// The largest of them, if it is beyond the tolerance.
    package var intolerable: ClockDifference? {
        differences.filter { $0.exceeds(Self.tolerance) }.max { $0.seconds.magnitude < $1.seconds.magnitude }
    }

    /// The least of them; nil if no answer had a date.
    package var least: ClockDifference? { differences.min { $0.seconds.magnitude < $1.seconds.magnitude } }

    /// Call the result with the answer to a request that is sent now.
    func comparison(with endpoint: String) -> @Sendable (HTTPClientResponse) -> Void {
        let sentAt = clock()
        return { [self] response in
            let (now, uptime) = (clock(), uptime())
            guard let difference = ClockDifference(response, from: endpoint, sentAt: sentAt, receivedAt: now) else {
                return
            }
            let report = state.withLock { state -> (@Sendable (ClockDifference) -> Void)? in
                let hasReported = state.differences(now - uptime).contains { $0.exceeds(Self.tolerance) }
                guard state.answers[endpoint] != nil || state.answers.count < Self.mostEndpoints else { return nil }
                state.answers[endpoint] = (difference, time: uptime, origin: now - uptime)
                guard !hasReported, difference.exceeds(Self.tolerance) else { return nil }
                let isDue = state.reports[endpoint, default: LogInterval(seconds: Self.silence)].isDue(at: uptime)
                return isDue ? state.report : nil
            }
            report?(difference)
        }
    }
}
