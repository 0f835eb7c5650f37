import Concurrency
import Glibc
import StrictJSON

/// How far this machine's clock is from that of an answer's sender (`Date`, RFC 9110 section 6.6.1).
package struct ClockDifference: Hashable, Sendable {
    /// Seconds: larger differences make Google refuse tokens sooner or later.
    package static let tolerance: Int64 = 30

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

    /// Whether it is tolerable.
    package var isTolerable: Bool { (-Self.tolerance...Self.tolerance).contains(seconds) }
}

/// Compares this machine's clock with each answer of other services.
package final class ClockWatch: Sendable {
    private struct State {
        var differences: [String: ClockDifference] = [:]
        /// When a difference of a service was reported last, in nanoseconds of the monotonic clock.
        var reported: [String: UInt64] = [:]
        var report: (@Sendable (ClockDifference) -> Void)?
    }

    /// Seconds: issuers' tokens are refused that were issued so far in the future.
    package static let tolerance: Int64 = 60
    /// The process's, as it has one clock.
    package static let shared = ClockWatch()
    /// Nanoseconds: clients may cause as many answers as they like.
    private static let silence: UInt64 = 3_600_000_000_000
    /// Only configured services are asked, and few answer from elsewhere.
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
    package var intolerable: ClockDifference? { differences.first(where: Self.isIntolerable) }

    /// The least of them; nil if no answer had a date.
    package var least: ClockDifference? { differences.min { $0.seconds.magnitude < $1.seconds.magnitude } }

    /// What takes the answer to a request that is sent now.
    func comparison(with endpoint: String) -> @Sendable (HTTPClientResponse) -> Void {
        let sentAt = clock()
        return { [self] response in
            guard
                let difference = ClockDifference(response, from: endpoint, sentAt: sentAt, receivedAt: clock())
            else { return }
            let report = state.withLock { state -> (@Sendable (ClockDifference) -> Void)? in
                let hasReported = state.differences.values.contains(where: Self.isIntolerable)
                guard state.differences[endpoint] != nil || state.differences.count < Self.mostEndpoints else {
                    return nil
                }
                state.differences[endpoint] = difference
                guard !hasReported, Self.isIntolerable(difference) else { return nil }
                let now = MonotonicTime.now()
                if let last = state.reported[endpoint], now < last + Self.silence { return nil }
                state.reported[endpoint] = now
                return state.report
            }
            report?(difference)
        }
    }

    private static func isIntolerable(_ difference: ClockDifference) -> Bool {
        difference.seconds.magnitude > tolerance
    }
}
