import HTTPClient

/// Sends a request, as `OutgoingClient.send` does: the completion is called exactly once, on any thread.
package typealias HTTPSend =
    @Sendable (
        HTTPClientRequest, @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) -> Void
