import Foundation
import Testing

@testable import HTTPClient

/// A client with these settings.
func client(
    connections: Int = 4, perHost: Int? = nil, requests: Int = 1, waiting: Int = 1024, authorities: String? = nil,
    through proxy: OutgoingProxy? = nil
) throws -> OutgoingClient {
    let pem = try authorities.map { Array(try Data(contentsOf: URL(filePath: $0))) }
    return try OutgoingClient(
        HTTPClientSettings(
            maxConnections: connections, maxConnectionsPerHost: perHost ?? connections,
            maxRequestsPerConnection: requests, maxWaiting: waiting,
            egress: Egress(trusting: pem.map(TrustedAuthorities.init), through: proxy)))
}

/// A request with generous limits, since other tests may slow the machine; the value of its field must never be logged.
func request(
    _ url: OutgoingURL, _ method: HTTPClientRequest.Method = .get, connect: Duration = .seconds(600),
    total: Duration = .seconds(600), maxBodyBytes: Int = 1_000_000, redirects: Int = 0,
    fields: [HTTPClientField] = []
) throws -> HTTPClientRequest {
    try HTTPClientRequest(
        url: url, method: method, fields: [HTTPClientField("Authorization", "canary-field")] + fields,
        limits: HTTPClientLimits(
            connectTimeout: connect, totalTimeout: total, maxBodyBytes: maxBodyBytes, maxRedirects: redirects))
}

extension OutgoingClient {
    func send(_ request: HTTPClientRequest) async -> Result<HTTPClientResponse, HTTPClientError> {
        await withCheckedContinuation { continuation in send(request) { continuation.resume(returning: $0) } }
    }

    /// Sends each request as soon as the one before it is answered, on the client's thread: between tasks of a busy machine
    /// there may be the two minutes after which libcurl uses a connection no longer.
    func send(inTurn requests: [HTTPClientRequest]) async -> [Result<HTTPClientResponse, HTTPClientError>] {
        await withCheckedContinuation { continuation in
            send(requests[...], after: []) { continuation.resume(returning: $0) }
        }
    }

    private func send(
        _ requests: ArraySlice<HTTPClientRequest>, after results: [Result<HTTPClientResponse, HTTPClientError>],
        completion: @escaping @Sendable ([Result<HTTPClientResponse, HTTPClientError>]) -> Void
    ) {
        guard let next = requests.first else { return completion(results) }
        send(next) { self.send(requests.dropFirst(), after: results + [$0], completion: completion) }
    }

    /// Sends a request that must fail; the error names the endpoint, but holds nothing that was sent or received.
    func failure(
        _ request: HTTPClientRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HTTPClientError {
        let result = await send(request)
        guard case .failure(let error) = result else {
            throw Unexpected(result: result)
        }
        #expect(error.sentence.hasPrefix("\(request.url.endpoint) "), sourceLocation: sourceLocation)
        #expect(!"\(error)\(error.sentence)".contains("canary"), sourceLocation: sourceLocation)
        return error
    }
}

/// An unexpected result.
struct Unexpected: Error {
    let result: Result<HTTPClientResponse, HTTPClientError>
}
