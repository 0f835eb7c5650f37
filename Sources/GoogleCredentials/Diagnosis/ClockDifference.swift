import Concurrency
import HTTPClient
import StrictJSON

/// How far this machine's clock is from that of an answer's sender (`Date`, RFC 9110 section 6.6.1).
package struct ClockDifference: Hashable, Sendable {
    /// Larger differences make Google refuse tokens sooner or later.
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

/// Sends requests, and compares the clocks with each answer.
package final class ClockComparison: Sendable {
    private let sender: HTTPSend
    private let clock: @Sendable () -> Int64
    private let differences = Guarded<[ClockDifference]>([])

    /// A comparison with the answers to requests that are sent so; `clock` returns seconds since the epoch.
    package init(_ send: @escaping HTTPSend, clock: @escaping @Sendable () -> Int64) {
        (sender, self.clock) = (send, clock)
    }

    /// The answer to a request.
    @Sendable
    package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        let sentAt = clock()
        let response = try await sender(request)
        let endpoint = request.url.endpoint
        if let difference = ClockDifference(response, from: endpoint, sentAt: sentAt, receivedAt: clock()) {
            differences.withLock { $0.append(difference) }
        }
        return response
    }

    /// The least difference of all answers; nil if none had a date.
    package var least: ClockDifference? {
        differences.withLock { $0.min { $0.seconds.magnitude < $1.seconds.magnitude } }
    }
}
