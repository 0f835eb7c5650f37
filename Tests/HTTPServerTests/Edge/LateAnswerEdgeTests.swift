import Dispatch
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Answers that are promised and then given from other threads.
struct LateAnswerEdgeTests {
    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test func `an answer from another thread arrives while other clients are served`() throws {
        let server = try TestServer()
        let (client, other) = try (server.connect(), server.connect())
        try client.send(request("/late"))
        let promise = try #require(server.promises.next())
        #expect(try other.get("/now").body == "/now")
        #expect(try other.get("/work").body == "/work")
        promise.keep("late")
        #expect(try client.answer().body == "late")
        #expect(try client.get("/now").body == "/now")
    }

    @Test func `a dropped promise is answered 503 and the connection stays open`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(request("/late"))
        try #require(server.promises.next()).drop()
        let answer = try client.answer()
        #expect(answer.status == 503)
        #expect(answer.body == "answer_abandoned")
        #expect(try client.get("/now").body == "/now")
        #expect(server.records.notices == [.answersAbandoned])
    }

    @Test func `added headers reach immediate, deferred, late and abandoned answers`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(["/added/now", "/added/work", "/added/late/1", "/added/late/2", "/now"].map(request).joined())
        let early = try (0..<2).map { _ in try client.answer() }
        try #require(server.promises.next()).keep("kept")
        let kept = try client.answer()
        try #require(server.promises.next()).drop()
        let answers = early + [kept, try client.answer(), try client.answer()]
        #expect(answers.map(\.body) == ["/now", "/work", "kept", "answer_abandoned", "/now"])
        #expect(answers.map { $0.fields["x-added"] } == ["yes", "yes", "yes", "yes", nil])
    }

    @Test(arguments: ["/late", "/promise"])
    func `a promise may resolve to work or to another promise`(path: String) throws {
        let server = try TestServer()
        let promises = server.promises
        let client = try server.connect()
        try client.send(request(path) + request("/now/next"))
        try #require(promises.next()).keep { _ in .later { promises.append(Promise($0)) } }
        try #require(promises.next()).keep { _ in
            .afterWork { _ in .afterWork { _ in .later { promises.append(Promise($0)) } } }
        }
        try #require(promises.next()).keep("at last")
        #expect(try client.answer().body == "at last")
        #expect(try client.answer().body == "/now/next")
    }

    @Test func `requests after a late one wait and are answered in order`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(["/now/1", "/late/2", "/now/3", "/late/4", "/work/5"].map(request).joined())
        #expect(try client.answer().body == "/now/1")
        let second = try #require(server.promises.next())
        #expect(try server.connect().get("/now").status == 200)
        #expect(server.records.all.map(\.annotation.route) == ["/now/1", "/now"])
        second.keep("/late/2")
        #expect(try client.answer().body == "/late/2")
        #expect(try client.answer().body == "/now/3")
        try #require(server.promises.next()).keep("/late/4")
        #expect(try client.answer().body == "/late/4")
        #expect(try client.answer().body == "/work/5")
    }

    @Test func `a late answer has no body for HEAD and closes HTTP/1.0`() throws {
        let server = try TestServer()
        let (head, old) = try (server.connect(), server.connect())
        try head.send("HEAD /late HTTP/1.1\r\nHost: a\r\n\r\n")
        try #require(server.promises.next()).keep("12345")
        let answer = try head.answer(toHead: true)
        #expect(answer.fields["content-length"] == "5")
        #expect(try head.get("/now").status == 200)
        try old.send("GET /late HTTP/1.0\r\n\r\n")
        try #require(server.promises.next()).keep("old")
        #expect(try old.answer().closes)
        #expect(try old.isEndedSilently())
    }

    @Test func `no deadline closes a connection with a pending answer`() throws {
        let server = try TestServer {
            $0.timeouts = ConnectionTimeouts(
                head: .milliseconds(150), idle: .milliseconds(150), write: .milliseconds(150),
                linger: .milliseconds(150), drainIdle: .milliseconds(150))
        }
        let client = try server.connect()
        try client.send(request("/late"))
        let promise = try #require(server.promises.next())
        // Each of these waits for a deadline that started after the request.
        for _ in 0..<3 { #expect(try server.connect().isEndedSilently()) }
        promise.keep("late")
        #expect(try client.answer().body == "late")
    }

    @Test func `an answer for a disconnected client is dropped without being computed`() throws {
        let server = try TestServer { $0.maxConnections = 1 }
        do {
            let client = try server.connect()
            try client.send(request("/late"))
            client.resetOnClose()
            let promise = try #require(server.promises.next())
            _ = consume client
            // Served once the place of the disconnected client is free.
            let isFree = (0..<10_000).contains { _ in (try? server.connect().get("/now").status) == 200 }
            #expect(isFree)
            promise.keep { _ in
                Issue.record("the answer of a disconnected client was computed")
                return TestServer.text("unused")
            }
        }
        let next = (0..<10_000).contains { _ in
            let client = try? server.connect()
            return (try? client?.get("/now/1").status) == 200 && (try? client?.get("/now/2").status) == 200
        }
        #expect(next)
    }

    @Test func `a drain waits for late answers`() throws {
        let server = try TestServer()
        let clients = try (0..<3).map { _ in try server.connect() }
        for client in clients { try client.send(request("/late")) }
        let promises = try clients.map { _ in try #require(server.promises.next()) }
        server.server.drain()
        promises[0].keep("first")
        promises[1].drop()
        promises[2].keep { _ in .afterWork { _ in TestServer.text("third") } }
        let answers = try clients.map { try $0.answer() }
        #expect(Set(answers.map(\.body)) == ["first", "answer_abandoned", "third"])
        for client in clients { client.shutdownWriting() }
        #expect(server.isStopped())
    }

    @Test func `a drain ends at its deadline despite a pending late answer`() throws {
        let server = try TestServer { $0.drainTimeout = .milliseconds(300) }
        let client = try server.connect()
        try client.send(request("/late"))
        let promise = try #require(server.promises.next())
        server.server.drain()
        #expect(server.isStopped())
        #expect(try client.remainder().bytes.isEmpty)
        promise.keep("too late")
    }

    @Test func `late answers beyond one turn's quota all reach their clients`() throws {
        let server = try TestServer()
        let clients = try (0..<PendingWork.lateAtOnce * 2 + 50).map { _ in try server.connect() }
        for client in clients { try client.send(request("/late")) }
        let promises = try clients.map { _ in try #require(server.promises.next()) }
        for (number, promise) in promises.enumerated() { promise.keep("\(number)") }
        let bodies = try clients.map { try $0.answer().body }
        #expect(Set(bodies) == Set(promises.indices.map { "\($0)" }))
    }

    @Test func `ten thousand late answers from four threads arrive in order`() async throws {
        let server = try TestServer { $0.loops = 2 }
        let address = server.address
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask {
                    let client = try TestClient(address)
                    for round in 0..<20 {
                        let paths = (0..<50).map { "/helped/\(number)/\(round)/\($0)" }
                        try client.send(paths.map { self.request($0) + self.request("/now\($0)") }.joined())
                        for path in paths {
                            #expect(try client.answer().body == path)
                            #expect(try client.answer().body == "/now\(path)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let routes = server.records.all.map(\.annotation.route)
        #expect(routes.count == 20_000)
        #expect(Set(routes).count == 20_000)
    }
}
