import Dispatch
import HTTPClient
import Synchronization

/// Requests to one server over a few connections of HTTP/2 and TLS. Each carries many at a time (RFC 9113).
///
/// libcurl takes longer for the bookkeeping of a request than all else that a remote signature needs. What this client
/// does not do, another one does: it gets requests to other servers and over plain HTTP, and all while the server does not
/// speak HTTP/2.
///
/// A request must be safe to repeat: one that a connection lost is sent again on another. The process must ignore SIGPIPE.
package final class MultiplexedClient: Sendable {
    /// Sends a request, as `OutgoingClient.send` does.
    package typealias Send =
        @Sendable (
            HTTPClientRequest, @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
        ) -> Void

    /// Takes a result, and returns what follows from it.
    package typealias Receive =
        @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> @Sendable () -> Void

    /// So many requests may wait for a connection.
    private static let maxWaiting = 4096

    private let origin: OutgoingURL
    private let authorities: TrustedAuthorities
    private let limits: ConnectionPool.Limits
    private let detour: Detour
    /// Nil if the process had no descriptors left.
    private let box: CallBox?
    private let isStarted = Atomic(false)

    /// A client for the server of this URL that starts with the first request. `others` sends what it does not.
    package convenience init(to origin: OutgoingURL, trusting authorities: TrustedAuthorities, others: @escaping Send) {
        self.init(to: origin, trusting: authorities, ConnectionPool.Limits(), others: others)
    }

    init(
        to origin: OutgoingURL, trusting authorities: TrustedAuthorities, _ limits: ConnectionPool.Limits,
        others: @escaping Send
    ) {
        (self.origin, self.authorities, self.limits) = (origin, authorities, limits)
        detour = Detour(send: others)
        box = CallBox(maxWaiting: Self.maxWaiting)
    }

    deinit { box?.close() }

    /// Sends a request without waiting. `receive` is called exactly once: on a client's thread, which it must not block,
    /// or on the caller's before this returns if the request is refused at once (`busy`). What it returns is called once
    /// all results that came together were received, so that a thread that waits for several of them wakes up once.
    package func send(_ request: HTTPClientRequest, receive: @escaping Receive) {
        let now = StreamLoop.now()
        guard let box, request.url.isSecure, request.url.hasSameOrigin(as: origin), !detour.isTaken(at: now) else {
            return detour.send(request) { receive($0)() }
        }
        let call = StreamCall(request, at: now, receive: receive)
        if let refusal = box.post(call) {
            // The loop may have taken the detour since.
            return detour.isTaken(at: now) ? call.pass(to: detour.send) : call.fail(refusal)()
        }
        if !isStarted.exchange(true, ordering: .sequentiallyConsistent) { start(box) }
    }

    /// Ends the client without waiting: waiting and active requests fail with `shutDown`.
    package func shutdown() { box?.close() }

    /// A separate queue, since the loop occupies its thread until the end.
    private func start(_ box: CallBox) {
        DispatchQueue(label: "http2-client").async { [weak self, origin, authorities, limits, detour] in
            if let context = try? ClientTLSContext(trusting: authorities) {
                return StreamLoop(box, to: origin, context, limits, detour).run()
            }
            // The other client says what is wrong with the authorities.
            detour.begin(until: StreamLoop.now() + StreamLoop.otherTime)
            // Before the calls are taken: a request that comes later starts the loop again.
            self?.isStarted.store(false, ordering: .sequentiallyConsistent)
            for call in box.take(stopped: 0).calls { call.pass(to: detour.send) }
        }
    }
}

/// Where requests go that this client does not send.
final class Detour: Sendable {
    let send: MultiplexedClient.Send
    private let until = Atomic<Nanoseconds>(0)

    init(send: @escaping MultiplexedClient.Send) { self.send = send }

    /// All requests go there until this time.
    func begin(until end: Nanoseconds) { until.store(end, ordering: .relaxed) }

    func isTaken(at now: Nanoseconds) -> Bool { now < until.load(ordering: .relaxed) }
}
