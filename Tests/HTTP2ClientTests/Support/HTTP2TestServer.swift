import ChildProcess
import Concurrency
import Foundation
import HTTPClient
import HTTPClientTests
import Testing

@testable import HTTP2Client

/// A Python server of HTTP/2 over TLS on its own port; it ends when this object is released.
final class HTTP2TestServer: Sendable {
    enum Failure: Error { case notStarted }

    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py").path

    let port: Int
    private let process: Child

    /// `settings` are such as `streams=1`.
    init(certificate: String, _ settings: String...) throws {
        let output = try OutputPipe()
        process = try Child(["python3", Self.script, certificate] + settings, output: .pipe(output))
        let line = try output.read { $0.contains("\n") }
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw Failure.notStarted }
        self.port = port
    }

    /// A URL of it; `host` can be a name in its certificate.
    func url(host: String = "127.0.0.1") throws -> OutgoingURL {
        try OutgoingURL("https://\(host):\(port)/v1/canary?query")
    }

    /// Its counters: `connections`, `requests`, requests that are `open`, and the `most` at once.
    func counts(_ client: MultiplexedClient) async throws -> [String: Int] {
        let answer = try await client.send(request(url(), "counts")).get()
        return try JSONDecoder().decode([String: Int].self, from: Data(answer.body))
    }
}

/// A request whose body tells the server what to do. Limits are generous, since other tests may slow the machine.
func request(
    _ url: OutgoingURL, _ body: String, connect: Duration = .seconds(600), total: Duration = .seconds(600),
    maxBodyBytes: Int = 1_000_000
) throws -> HTTPClientRequest {
    try HTTPClientRequest(
        url: url, method: .post(Array(body.utf8)), fields: [HTTPClientField("authorization", "canary-field")],
        limits: HTTPClientLimits(connectTimeout: connect, totalTimeout: total, maxBodyBytes: maxBodyBytes))
}

/// A client for a server, and what it sent by another one.
struct TestClient {
    let client: MultiplexedClient
    let others = Others()

    init(_ url: OutgoingURL, trusting authorities: String, connectTime: Duration = .seconds(600)) {
        signal(SIGPIPE, SIG_IGN)
        // Tests count connections, and others may slow the machine.
        let limits = ConnectionPool.Limits(idleTime: .max / 2, connectTime: connectTime)
        client = MultiplexedClient(
            to: url, trusting: TrustedAuthorities(file: authorities, folder: nil), limits, others: others.send)
    }
}

/// The other client: it counts, and answers with 299.
final class Others: Sendable {
    private let state = Guarded(0)

    var count: Int { state.withLock { $0 } }

    var send: MultiplexedClient.Send {
        { [self] _, completion in
            state.withLock { $0 += 1 }
            completion(.success(HTTPClientResponse(status: 299, fields: [], body: [])))
        }
    }
}

extension MultiplexedClient {
    func send(_ request: HTTPClientRequest) async -> Result<HTTPClientResponse, HTTPClientError> {
        await withCheckedContinuation { continuation in
            send(request) { result in { continuation.resume(returning: result) } }
        }
    }

    /// Sends a request that must fail; the error names the endpoint, but holds nothing that was sent or received.
    func failure(
        _ request: HTTPClientRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HTTPClientError.Cause {
        let result = await send(request)
        guard case .failure(let error) = result else { throw Unexpected(result: result) }
        #expect(error.sentence.hasPrefix("\(request.url.endpoint) "), sourceLocation: sourceLocation)
        #expect(!"\(error)\(error.sentence)".contains("canary"), sourceLocation: sourceLocation)
        return error.cause
    }

    /// The text that a request is answered with.
    func text(_ request: HTTPClientRequest) async throws -> String {
        String(decoding: try await send(request).get().body, as: UTF8.self)
    }
}

/// An unexpected result.
struct Unexpected: Error {
    let result: Result<HTTPClientResponse, HTTPClientError>
}
