import Foundation
import Testing

@testable import HTTPClient

/// Requests and their answers, over a real connection.
struct AnswerTests {
    /// A request as the server received it.
    private struct Seen: Decodable {
        let method: String
        let target: String
        let body: String
        let fields: [[String]]
    }

    private let server: TestServer
    private let client: OutgoingClient

    init() throws {
        server = try TestServer()
        client = try HTTPClientTests.client()
    }

    private func echo(_ method: HTTPClientRequest.Method, _ fields: [HTTPClientField] = []) async throws -> Seen {
        let answer = try await client.send(
            request(server.url("echo?a=%20b"), method, maxBodyBytes: 2_000_000, fields: fields)
        ).get()
        #expect(answer.status == 200)
        #expect(answer.values(of: "cache-control") == ["max-age=60"])
        #expect(answer.values(of: "etag") == ["\"v1\""])
        #expect(answer.values(of: "date").count == 1)
        return try JSONDecoder().decode(Seen.self, from: Data(answer.body.selfDelimiting))
    }

    @Test func `a GET sends only the Host and the request's fields`() async throws {
        let seen = try await echo(.get, [HTTPClientField("X-Empty", ""), HTTPClientField("Accept", "a/b")])
        #expect(seen.method == "GET")
        #expect(seen.target == "/echo?a=%20b")
        #expect(seen.body == "")
        #expect(
            seen.fields == [
                ["host", "127.0.0.1:\(server.port)"], ["authorization", "canary-field"], ["x-empty", ""],
                ["accept", "a/b"],
            ])
    }

    @Test(arguments: [0, 7, 1_100_000])
    func `a POST sends its whole body at once`(bytes: Int) async throws {
        let body = String(repeating: "x", count: bytes)
        let seen = try await echo(.post(Array(body.utf8)), [HTTPClientField("Content-Type", "application/json")])
        #expect(seen.method == "POST")
        #expect(seen.body == body, "\(seen.body.utf8.count) bytes")
        #expect(Set(seen.fields.compactMap(\.first)) == ["host", "authorization", "content-type", "content-length"])
    }

    @Test(arguments: ["", "x"])
    func `a PUT sends its body and length`(body: String) async throws {
        let seen = try await echo(.put(Array(body.utf8)), [HTTPClientField("X-TTL", "300")])
        #expect(seen.method == "PUT")
        #expect(seen.body == body)
        #expect(seen.fields.contains(["content-length", "\(body.utf8.count)"]))
        #expect(Set(seen.fields.compactMap(\.first)) == ["host", "authorization", "x-ttl", "content-length"])
    }

    @Test(arguments: [204, 400, 401, 403, 404, 500, 503])
    func `every status is returned as an answer`(code: Int) async throws {
        let answer = try await client.send(request(server.url("status?code=\(code)"))).get()
        #expect(answer.status == code)
        #expect(answer.body.whole == (code == 204 ? [] : Array("denied".utf8)))
    }

    @Test func `fields of interim answers and trailers are left out`() async throws {
        let final = try await client.send(request(server.url("interim"))).get()
        #expect(final.fields.map(\.name) == ["x-final", "content-length"])
        #expect(final.body.whole == Array("ok".utf8))
        let trailer = try await client.send(request(server.url("trailer"))).get()
        #expect(trailer.fields.map(\.name) == ["transfer-encoding"])
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `this machine is reached by address and by name`(host: String) async throws {
        let answer = try await client.send(request(server.url("bytes?count=3", host: host))).get()
        #expect(answer.body.whole == Array("xxx".utf8))
    }
}
