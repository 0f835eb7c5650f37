import HTTPClient

/// Sends a request, as `OutgoingClient.send` does: the completion is called exactly once, on any thread.
package typealias HTTPSend =
    @Sendable (
        HTTPClientRequest, @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) -> Void

/// Sends a request, as `HTTPSend` does. What `receive` returns is called once all results that came together were
/// received.
package typealias SteppedHTTPSend =
    @Sendable (
        HTTPClientRequest,
        _ receive: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> @Sendable () -> Void
    ) -> Void
