import CCurl
import Dispatch
import Synchronization

/// Requests to other services over HTTP/1.1 and HTTP/2, with libcurl (RFC 9110, RFC 9112, RFC 9113).
///
/// Connections are kept alive and reused. Certificates and their names are always verified, TLS is 1.2 or later, and
/// libcurl takes neither proxies nor credentials from the environment.
package final class OutgoingClient: Sendable {
    private let settings: HTTPClientSettings
    private let clocks: ClockWatch
    private let mailbox: RequestMailbox
    /// A separate queue, since the loop occupies its thread until the end.
    private let loopQueue = DispatchQueue(label: "http-client")
    private let isStarted = Atomic(false)

    /// A client that starts its loop with the first request; the first client loads libcurl.
    package init(
        _ settings: HTTPClientSettings, comparing clocks: ClockWatch = .shared
    ) throws(HTTPClientUnavailable) {
        try CurlLibrary.require()
        (self.settings, self.clocks) = (settings, clocks)
        do { mailbox = try RequestMailbox(settings) } catch {
            throw HTTPClientUnavailable(library: CurlLibrary.name, reason: error.reason)
        }
    }

    deinit { shutdown() }

    /// Sends a request without waiting. The completion is called exactly once: on the client's thread, or on that of a
    /// caller, if a request is refused at once (`busy`, `shutDown`). It must not block either.
    package func send(
        _ request: HTTPClientRequest,
        completion: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        let compare = clocks.comparison(with: request.url.endpoint)
        let pending = PendingRequest(request, at: .now) { result in
            if case .success(let response) = result { compare(response) }
            completion(result)
        }
        mailbox.post(pending)
        guard !isStarted.exchange(true, ordering: .relaxed) else { return }
        loopQueue.async { [mailbox, settings] in TransferLoop(mailbox, settings).run() }
    }

    /// The answer to a request.
    package func answer(to request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        try await withCheckedContinuation { continuation in
            send(request) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Ends the client without waiting: waiting and active requests fail with `shutDown`.
    package func shutdown() { mailbox.close() }
}
