import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Work for answers: one piece between two polls of the sockets.
struct WorkOrderTests {
    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test func `an immediate answer waits only for the work in progress`() throws {
        let server = try TestServer()
        let (first, second, hit) = try (server.connect(), server.connect(), server.connect())
        try first.send(request("/gate/1"))
        try #require(server.gate.hasArrival())
        try second.send(request("/gate/2"))
        try hit.send(request("/now"))
        server.gate.letOnePass()
        // The second piece of work cannot end before the test lets it.
        #expect(try hit.answer().body == "/now")
        #expect(try first.answer().body == "/gate/1")
        server.gate.letOnePass()
        #expect(try second.answer().body == "/gate/2")
        #expect(server.records.all.map(\.annotation.route) == ["/gate/1", "/now", "/gate/2"])
    }

    @Test func `work is done in the order of its requests`() throws {
        let server = try TestServer()
        let clients = try (0..<20).map { _ in try server.connect() }
        try clients[0].send(request("/gate/0"))
        try #require(server.gate.hasArrival())
        for (number, client) in clients.enumerated().dropFirst() { try client.send(request("/work/\(number)")) }
        server.gate.letOnePass()
        for (number, client) in clients.enumerated() { #expect(try client.answer().body.hasSuffix("/\(number)")) }
        #expect(Set(server.records.all.map(\.annotation.route)).count == 20)
        #expect(server.records.all.first?.annotation.route == "/gate/0")
    }

    @Test func `connections that pipeline work take turns`() throws {
        let server = try TestServer()
        let (blocker, greedy, modest) = try (server.connect(), server.connect(), server.connect())
        try blocker.send(request("/gate"))
        try #require(server.gate.hasArrival())
        try greedy.send((0..<10).map { request("/work/greedy/\($0)") }.joined())
        try modest.send(request("/work/modest"))
        server.gate.letOnePass()
        #expect(try modest.answer().status == 200)
        for _ in 0..<10 { #expect(try greedy.answer().status == 200) }
        let paths = server.records.all.map(\.annotation.route)
        #expect(paths.firstIndex(of: "/work/modest").map { $0 <= 3 } == true)
    }
}
