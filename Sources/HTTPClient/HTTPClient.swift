import Dispatch
import Synchronization

/// Requests to other services over HTTP/1.1 and HTTP/2, by libcurl (RFC 9110, RFC 9112, RFC 9113).
///
/// Connections are kept and used again. Certificates and their names are always verified, TLS is 1.2 or later, and
/// neither proxies nor credentials are taken from the environment.
package final class HTTPClient: Sendable {
    private let settings: HTTPClientSettings
    private let mailbox: RequestMailbox
    /// Of its own, since the loop never leaves the thread that it is given.
    private let loopQueue = DispatchQueue(label: "http-client")
    private let isStarted = Atomic(false)

    /// A client that begins nothing before its first request; the first client loads libcurl.
    package init(_ settings: HTTPClientSettings) throws(HTTPClientUnavailable) {
        try CurlLibrary.require()
        self.settings = settings
        do throws(CurlFailure) {
            mailbox = try RequestMailbox(settings)
        } catch {
            throw HTTPClientUnavailable(library: CurlLibrary.name, reason: error.reason)
        }
    }

    deinit { shutdown() }

    /// Asks, without waiting. The completion is called exactly once: on the client's thread, which it must not hold up, or
    /// on the caller's before this returns if the request is refused at once (`busy`, `shutDown`).
    package func send(
        _ request: HTTPClientRequest,
        completion: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        let pending = PendingRequest(request, at: .now, completion: completion)
        if let refusal = mailbox.post(pending) { return pending.fail(refusal) }
        guard !isStarted.exchange(true, ordering: .relaxed) else { return }
        loopQueue.async { [mailbox, settings] in TransferLoop(mailbox, settings).run() }
    }

    /// Ends the client, without waiting: what waits or is under way fails with `shutDown`.
    package func shutdown() { mailbox.close() }
}
