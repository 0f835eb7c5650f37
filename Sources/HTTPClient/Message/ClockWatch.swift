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
        var differences: [String: ClockDifference] = [:]
        /// By service: clients may cause as many answers as they like.
        var reports: [String: LogInterval] = [:]
        var report: (@Sendable (ClockDifference) -> Void)?
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
    private let state = Guarded(State())

    /// A watch before the first answer; `clock` returns seconds since the epoch.
    package init(clock: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) {
        self.clock = clock
    }

    /// Has the first of several differences beyond the tolerance reported.
    package func report(_ report: @escaping @Sendable (ClockDifference) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Forgets all answers, since other services may be asked from now on.
    package func forget() { state.withLock { $0.differences = [:] } }

    /// The differences by the last answer of each service, in the order of their names.
    package var differences: [ClockDifference] {
        state.withLock { $0.differences.values.sorted { $0.endpoint < $1.endpoint } }
    }

    /// The first of them that is beyond the tolerance.
    package var intolerable: ClockDifference? { differences.first { $0.exceeds(Self.tolerance) } }

    /// The least of them; nil if no answer had a date.
    package var least: ClockDifference? { differences.min { $0.seconds.magnitude < $1.seconds.magnitude } }

    /// Call the result with the answer to a request that is sent now.
    func comparison(with endpoint: String) -> @Sendable (HTTPClientResponse) -> Void {
        let sentAt = clock()
        return { [self] response in
            guard
                let difference = ClockDifference(response, from: endpoint, sentAt: sentAt, receivedAt: clock())
            else { return }
            let report = state.withLock { state -> (@Sendable (ClockDifference) -> Void)? in
                let hasReported = state.differences.values.contains { $0.exceeds(Self.tolerance) }
                guard state.differences[endpoint] != nil || state.differences.count < Self.mostEndpoints else {
                    return nil
                }
                state.differences[endpoint] = difference
                guard !hasReported, difference.exceeds(Self.tolerance) else { return nil }
                let now = Int64(MonotonicTime.now() / 1_000_000_000)
                let isDue = state.reports[endpoint, default: LogInterval(seconds: Self.silence)].isDue(at: now)
                return isDue ? state.report : nil
            }
            report?(difference)
        }
    }
}
