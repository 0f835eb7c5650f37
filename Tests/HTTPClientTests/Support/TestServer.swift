import TestSupport
import Foundation

@testable import HTTPClient

/// A Python server on its own port; it ends when this object is released.
final class TestServer: Sendable {
    enum Failure: Error { case notStarted }

    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py").path

    let port: Int
    private let scheme: String
    private let process: Child

    /// Uses TLS if a certificate with its key is given.
    init(certificate: String? = nil, old: Bool = false) throws {
        scheme = certificate == nil ? "http" : "https"
        let arguments = (certificate.map { [$0] } ?? []) + (old ? ["old"] : [])
        let output = try OutputPipe()
        process = try Child(["python3", Self.script] + arguments, output: .pipe(output))
        let line = try output.read { $0.contains("\n") }
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw Failure.notStarted }
        self.port = port
    }

    /// The URL of an answer; `host` can be a name in its certificate.
    func url(_ path: String, host: String = "127.0.0.1") throws -> OutgoingURL {
        try OutgoingURL("\(scheme)://\(host):\(port)/\(path)")
    }

    /// Its counters: `connections`, `requests`, requests in progress `now`, and the `most` at once.
    func counts(_ client: OutgoingClient) async throws -> [String: Int] {
        try Self.counts(await client.send(request(url("counts"))).get())
    }

    static func counts(_ answer: HTTPClientResponse) throws -> [String: Int] {
        try JSONDecoder().decode([String: Int].self, from: Data(answer.body.selfDelimiting))
    }
}
