import HTTPClient

/// Sends a request and waits for its answer, as `OutgoingClient.answer` does.
package typealias HTTPSend = @Sendable (HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse
