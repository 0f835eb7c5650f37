import TestSupport
import Foundation

@testable import HTTPClient

/// A Python server of HTTP/2 over TLS on its own port; it ends when this object is released.
final class HTTP2TestServer: Sendable {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "http2_server.py")

    let port: Int
    private let process: Child

    /// `settings` are such as `streams=1`.
    init(certificate: String, _ settings: [String]) throws {
        let output = try OutputPipe()
        process = try Child(["python3", Self.script.path, certificate] + settings, output: .pipe(output))
        let line = try output.read { $0.contains("\n") }
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw TestServer.Failure.notStarted }
        self.port = port
    }

    /// A request whose body tells the server what to do. Limits are generous, since other tests may slow the machine.
    func request(_ body: String, limit: Duration = .seconds(600), maxBodyBytes: Int = 1_000_000) throws
        -> HTTPClientRequest
    {
        let url = try OutgoingURL("https://127.0.0.1:\(port)/v1/canary?query")
        return try HTTPClientTests.request(
            url, .post(Array(body.utf8)), connect: limit, total: limit, maxBodyBytes: maxBodyBytes)
    }

    /// Its counters: `connections`, `requests`, requests that are `open`, and the `most` at once.
    func counts(_ client: OutgoingClient) async throws -> [String: Int] {
        let answer = try await client.send(request("counts")).get()
        return try JSONDecoder().decode([String: Int].self, from: Data(answer.body.selfDelimiting))
    }
}
