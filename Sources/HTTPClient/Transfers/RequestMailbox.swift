import Locking

/// How other threads speak to a client's loop: its queue under a lock, and libcurl's wake-up.
final class RequestMailbox: Sendable {
    let multi: CurlMulti
    private let queue: Guarded<RequestQueue>

    init(_ settings: HTTPClientSettings) throws(CurlFailure) {
        multi = try CurlMulti(settings)
        queue = Guarded(RequestQueue(settings))
    }

    /// Looks into the queue.
    func withQueue<Value: Sendable>(_ body: (inout RequestQueue) -> Value) -> Value { queue.withLock(body) }

    /// Takes a request, or tells why not.
    func post(_ request: PendingRequest) -> HTTPClientError.Cause? {
        let refusal = withQueue { $0.add(request) }
        if refusal == nil { multi.wakeUp() }
        return refusal
    }

    /// Takes no request any more, and has the loop give up those that are here.
    func close() {
        withQueue { $0.close() }
        multi.wakeUp()
    }
}
