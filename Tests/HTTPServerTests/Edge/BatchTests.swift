import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Work that is done for several requests at once.
struct BatchTests {
    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// The bodies of answers to requests that came while the event loop was busy, so that all wait together.
    private func bodies(_ paths: [String]) throws -> [String] {
        let server = try TestServer()
        let (busy, clients) = try (server.connect(), paths.map { _ in try server.connect() })
        for client in clients { #expect(try client.get("/now").status == 200) }
        try busy.send(request("/gate"))
        try #require(server.gate.hasArrival())
        for (client, path) in zip(clients, paths) { try client.send(request(path)) }
        server.gate.letOnePass()
        #expect(try busy.answer().body == "/gate")
        return try clients.map { try $0.answer().body }
    }

    @Test func `work that waits together is done together, up to its limit`() throws {
        let bodies = try bodies((1...10).map { "/batch/\($0)" })
        #expect(bodies == (1...10).map { "/batch/\($0) of \($0 <= 8 ? 8 : 1)" })
    }

    @Test func `work for too few requests is done alone`() throws {
        #expect(try bodies(["/batch/1", "/batch/2"]) == ["/batch/1 of 1", "/batch/2 of 1"])
        let server = try TestServer()
        #expect(try server.connect().get("/batch").body == "/batch of 1")
    }

    @Test func `a batch leaves other work in its place`() throws {
        let bodies = try bodies(["/work/1", "/batch/1", "/work/2", "/batch/2", "/batch/3", "/work/3"])
        #expect(bodies == ["/work/1", "/batch/1 of 3", "/work/2", "/batch/2 of 3", "/batch/3 of 3", "/work/3"])
    }

    @Test func `connections that took part in a batch go on`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send((1...20).map { request("/batch/\($0)") }.joined())
        for number in 1...20 { #expect(try client.answer().body == "/batch/\(number) of 1") }
    }
}
