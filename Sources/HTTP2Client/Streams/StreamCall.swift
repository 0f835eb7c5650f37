import HTTPClient

/// A request without an answer yet, and what has come of its answer.
///
/// `@unchecked Sendable`: it is handed over once, under the lock of `CallBox`; from then on only the loop's thread uses it.
final class StreamCall: @unchecked Sendable {
    /// Why a request is sent again, and how often at most.
    enum Repeat: Int {
        /// Its connection was lost, maybe before it arrived. Once, since it counts as another one for the server.
        case lost = 1
        /// The server has not processed it.
        case refused = 3
    }

    let request: HTTPClientRequest
    /// When the total timeout ends.
    let deadline: Nanoseconds
    private let receive: MultiplexedClient.Receive

    /// When it was given to its connection.
    var sentAt: Nanoseconds = 0
    /// Bytes of the body that were sent.
    var sentBytes = 0
    var answer: StreamAnswer
    private var repeats: [Repeat: Int] = [:]

    init(_ request: HTTPClientRequest, at now: Nanoseconds, receive: @escaping MultiplexedClient.Receive) {
        (self.request, self.receive) = (request, receive)
        deadline = now + request.limits.totalTimeout.nanoseconds
        answer = StreamAnswer(maxBodyBytes: request.limits.maxBodyBytes)
    }

    /// The body of the request.
    var body: [UInt8] {
        switch request.method {
        case .get: []
        case .post(let body), .put(let body): body
        }
    }

    /// Begins the request from its start again; false if that was done often enough.
    func rewind(for reason: Repeat) -> Bool {
        guard repeats[reason, default: 0] < reason.rawValue else { return false }
        repeats[reason, default: 0] += 1
        sentBytes = 0
        answer = StreamAnswer(maxBodyBytes: request.limits.maxBodyBytes)
        return true
    }

    /// Hands over the answer, and returns what follows; call it once.
    func deliver(_ response: HTTPClientResponse) -> @Sendable () -> Void { receive(.success(response)) }

    /// Hands over an error, and returns what follows; call it once.
    func fail(_ cause: HTTPClientError.Cause, status: Int? = nil) -> @Sendable () -> Void {
        receive(.failure(HTTPClientError(endpoint: request.url.endpoint, cause: cause, status: status)))
    }

    /// Has another client send it.
    func pass(to send: MultiplexedClient.Send) { send(request) { [receive] in receive($0)() } }
}

/// A time of the monotonic clock, or a time span.
typealias Nanoseconds = UInt64

extension Duration {
    /// The duration; 0 if it is negative.
    var nanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Nanoseconds(seconds) * 1_000_000_000 + Nanoseconds(attoseconds) / 1_000_000_000
    }
}
