import HTTPClient

/// Sends a request, as `OutgoingClient.send` does: the completion is called exactly once, on any thread.
package typealias HTTPSend =
    @Sendable (
        HTTPClientRequest, @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) -> Void

extension HTTPClientRequest {
    /// The answer to this request.
    func answer(by send: HTTPSend) async -> Result<HTTPClientResponse, HTTPClientError> {
        await withCheckedContinuation { continuation in
            send(self) { continuation.resume(returning: $0) }
        }
    }
}
