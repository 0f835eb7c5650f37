import Concurrency

/// How other threads reach a client's loop: its queue under a lock, and libcurl's wake-up.
final class RequestMailbox: Sendable {
    private let settings: HTTPClientSettings
    private let current: Guarded<CurlMulti>
    private let queue: Guarded<RequestQueue>

    init(_ settings: HTTPClientSettings) throws(CurlFailure) {
        self.settings = settings
        current = Guarded(try CurlMulti(settings))
        queue = Guarded(RequestQueue(settings))
    }

    /// libcurl's handle, which only the loop uses except for `wakeUp`.
    var multi: CurlMulti { current.withLock { $0 } }

    /// Replaces a handle that failed and has no transfers.
    func renew() throws(CurlFailure) {
        let new = try CurlMulti(settings)
        current.withLock { $0 = new }
    }

    /// Uses the queue under its lock.
    func withQueue<Value: Sendable>(_ body: (inout RequestQueue) -> Value) -> Value { queue.withLock(body) }

    /// Queues a request; fails the one that has no place, this or another.
    func post(_ request: PendingRequest) {
        let refused = withQueue { $0.add(request) }
        if refused?.request !== request { multi.wakeUp() }
        if let refused { refused.request.fail(refused.cause) }
    }

    /// Refuses new requests and makes the loop fail the existing ones.
    func close() {
        withQueue { $0.close() }
        multi.wakeUp()
    }
}
