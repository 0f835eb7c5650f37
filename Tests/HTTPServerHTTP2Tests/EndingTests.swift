import HTTPServerHTTP2
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// How sessions end: by a drain, a deadline or a connection limit.
struct EndingTests {
    private static let allStreams: UInt32 = (1 << 31) - 1

    // MARK: Drain

    @Test func `a drain finishes streams sent before the client could see it`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        let first = try client.drainWithPendingAnswer()
        let notice = try #require(try client.next(.goAway))
        #expect(notice.number(at: 0) == Self.allStreams)
        #expect(notice.number(at: 4) == 0)
        try client.echoPing(after: .request(3, "/late"))
        let second = try #require(server.promises.next())
        let last = try #require(try client.next(.goAway))
        #expect(last.number(at: 0) == 3)
        #expect(last.number(at: 4) == 0)
        try client.send(.request(5, "/now"))
        first.keep("first")
        second.keep("second")
        #expect(try client.answer(1).body == "first")
        #expect(try client.answer(3).body == "second")
        #expect(try client.farewell()?.lastStream == 3)
        #expect(client.order == [1, 3])
        client.client.shutdownWriting()
        #expect(server.isStopped())
    }

    @Test func `a drain ends an idle session whose client does not answer`() throws {
        let server = try TestServer.http2 { $0.timeouts.drainIdle = .milliseconds(100) }
        let client = try FrameClient(server)
        #expect(try client.get(1, "/now").status == 200)
        server.server.drain()
        let farewell = try #require(try client.farewell())
        #expect(farewell.code == 0)
        #expect(farewell.lastStream == 1)
        client.client.shutdownWriting()
        #expect(server.isStopped())
    }

    @Test func `a drain does not wait for bodies of answered requests`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        let post = [(":method", "POST")] + RequestFields.get("/now").dropFirst()
        try client.send(.headers(1, post, Frame.endsHeaders))
        #expect(try client.answer(1).body == "/now")
        server.server.drain()
        #expect(try client.next(.goAway)?.kind == .goAway)
        try client.echoPing(after: .headers(3, post, Frame.endsHeaders))
        #expect(try client.answer(3).body == "/now")
        #expect(try client.farewell()?.code == 0)
        client.client.shutdownWriting()
        #expect(server.isStopped())
    }

    @Test func `requests before a client's GOAWAY are still answered`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(.request(1, "/late"), Frame(.goAway, 0, stream: 0, .init(repeating: 0, count: 8)))
        try #require(server.promises.next()).keep("done")
        #expect(try client.answer(1).body == "done")
        #expect(try client.next() == nil)
    }

    @Test func `pending answers of a disconnected client are dropped`() throws {
        let server = try TestServer.http2()
        var client: FrameClient? = try FrameClient(server)
        try client?.send(.request(1, "/late"), .request(3, "/gate"))
        let promise = try #require(server.promises.next())
        #expect(server.gate.hasArrival())
        client?.client.resetOnClose()
        client = nil
        server.gate.openForGood()
        promise.keep("unused")
        #expect(try FrameClient(server).get(1, "/now").body == "/now")
    }

    // MARK: Half-close

    @Test func `whole requests before a half-close are answered after GOAWAY`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        let part = RequestFields.get("/now").dropFirst()
        try client.send(
            .request(1, "/late"), .request(3, "/late"), .headers(5, [(":method", "POST")] + part, Frame.endsHeaders))
        #expect(try client.answer(5).body == "/now")
        let promises = try (0..<2).map { _ in try #require(server.promises.next()) }
        client.client.shutdownWriting()
        let goAway = try #require(try client.next(.goAway))
        #expect([goAway.number(at: 0), goAway.number(at: 4)] == [5, 0])
        promises[1].keep { _ in .afterWork { _ in TestServer.text("second") } }
        #expect(try client.answer(3).body == "second")
        promises[0].keep("first")
        #expect(try client.answer(1).body == "first")
        #expect(try client.next() == nil)
    }

    @Test func `a half-close after all answers, or before any request, gets GOAWAY`() throws {
        let server = try TestServer.http2()
        let (answered, silent) = try (FrameClient(server), FrameClient(server))
        #expect(try answered.get(1, "/now").status == 200)
        let prefaced = try FrameClient(server, sendsPreface: false)
        try prefaced.client.send(FrameClient.preface)
        for (client, last) in [(answered, 1), (silent, 0), (prefaced, 0)] as [(FrameClient, UInt32)] {
            client.client.shutdownWriting()
            let goAway = try #require(try client.next(.goAway))
            #expect([goAway.number(at: 0), goAway.number(at: 4)] == [last, 0])
            #expect(try client.next() == nil)
        }
    }

    @Test func `a half-close within a request or a body gets GOAWAY`() throws {
        let server = try TestServer.http2()
        let post = [(":method", "POST")] + RequestFields.get("/now").dropFirst()
        let (posting, cut) = try (FrameClient(server), FrameClient(server))
        try posting.send(.headers(1, post, Frame.endsHeaders))
        #expect(try posting.answer(1).body == "/now")
        try cut.send(Frame(.headers, Frame.endsStream, stream: 1, RequestFields.encoded([(":method", "GET")])))
        for client in [posting, cut] {
            client.client.shutdownWriting()
            let goAway = try #require(try client.next(.goAway))
            #expect(goAway.number(at: 4) == 0)
            while let frame = try client.next() { #expect(frame.kind == .resetStream) }
        }
    }

    @Test func `a half-closed client that cannot widen its window is disconnected`() throws {
        let server = try TestServer.http2()
        let client = try FrameClient(server)
        try client.send(.request(1, "/late"))
        let promise = try #require(server.promises.next())
        client.client.shutdownWriting()
        #expect(try client.next(.goAway) != nil)
        promise.keep(String(repeating: "x", count: 70_000))
        var received = 0
        while let frame = try client.next() { received += frame.kind == .data ? frame.payload.count : 0 }
        #expect(received == 65_535)
    }

    @Test func `a reset after a half-close drops what is pending`() throws {
        let server = try TestServer.http2 { $0.maxConnections = 1 }
        var client: FrameClient? = try FrameClient(server)
        try client?.send(.request(1, "/late"))
        let promise = try #require(server.promises.next())
        client?.client.shutdownWriting()
        #expect(try client?.next(.goAway) != nil)
        client?.client.resetOnClose()
        client = nil
        let isFree = (0..<10_000).contains { _ in (try? FrameClient(server).get(1, "/now").status) == 200 }
        #expect(isFree)
        promise.keep { _ in
            Issue.record("the answer of a disconnected client was computed")
            return TestServer.text("unused")
        }
        #expect((0..<10_000).contains { _ in (try? FrameClient(server).get(1, "/now").status) == 200 })
    }

    // MARK: Deadlines

    @Test func `a client that sends only the preface is disconnected`() throws {
        let server = try TestServer.http2 { $0.timeouts.head = .milliseconds(100) }
        let client = try FrameClient(server, sendsPreface: false)
        try client.client.send(FrameClient.preface)
        #expect(try client.farewell()?.code == 0)
    }

    @Test func `an idle session ends despite pings`() throws {
        let server = try TestServer.http2(HTTP2Limits(maxIdleFramesPerSecond: 1_000_000)) {
            $0.timeouts.idle = .milliseconds(300)
        }
        let client = try FrameClient(server)
        #expect(try client.get(1, "/now").status == 200)
        var pings = 0
        while true {
            try? client.send(.ping())
            guard let frame = try client.next() else { break }
            if frame.kind == .goAway {
                #expect(frame.number(at: 0) == 1)
                #expect(frame.number(at: 4) == 0)
                break
            }
            pings += frame.kind == .ping ? 1 : 0
        }
        #expect(pings > 0)
    }

    @Test func `fields that arrive too slowly end the session`() throws {
        let server = try TestServer.http2 { $0.timeouts.head = .milliseconds(200) }
        let client = try FrameClient(server)
        try client.send(Frame(.headers, Frame.endsStream, stream: 1, RequestFields.encoded([(":method", "GET")])))
        #expect(try client.farewell()?.code == 0)
    }

    @Test func `a stream with a closed window is cancelled without ending the session`() throws {
        let server = try TestServer.http2 { $0.timeouts.write = .milliseconds(200) }
        let client = try FrameClient(server, settings: [(4, 2)])
        try client.send(.request(1, "/0123456789"))
        #expect(try client.answer(1).resetCode == 8)
        #expect(try client.get(3, "/").body == "/")
    }

    @Test func `a window that opens by single bytes does not keep a stream`() throws {
        let limits = HTTP2Limits(maxIdleFramesPerSecond: 1_000_000)
        let server = try TestServer.http2(limits) { $0.timeouts.write = .milliseconds(300) }
        let client = try FrameClient(server, settings: [(4, 1)])
        try client.send(.request(1, "/large"))
        var frame = try client.next()
        while let next = frame, next.kind != .resetStream {
            if next.kind == .data { try client.send(.window(1, 1)) }
            frame = try client.next()
        }
        #expect(frame == .reset(1, 8))
    }

    @Test func `a body that does not arrive resets its stream`() throws {
        let server = try TestServer.http2 { $0.timeouts.head = .milliseconds(200) }
        let client = try FrameClient(server)
        try client.send(.headers(1, RequestFields.get("/now"), Frame.endsHeaders))
        #expect(try client.answer(1).body == "/now")
        #expect(try client.next(.resetStream) == .reset(1, 0))
    }

    @Test func `a pending answer has no deadline`() throws {
        let server = try TestServer.http2 {
            $0.timeouts.head = .milliseconds(100)
            $0.timeouts.write = .milliseconds(100)
            $0.timeouts.idle = .milliseconds(100)
        }
        let (client, idle) = try (FrameClient(server), FrameClient(server))
        try client.send(.request(1, "/late"))
        let promise = try #require(server.promises.next())
        // Each of these sessions ends at its deadline.
        for _ in 0..<3 { #expect(try FrameClient(server).farewell() != nil) }
        #expect(try idle.farewell() != nil)
        promise.keep("done")
        #expect(try client.answer(1).body == "done")
    }

    @Test func `a client that reads nothing for too long is disconnected`() throws {
        let server = try TestServer.http2 {
            $0.timeouts.write = .milliseconds(200)
            $0.timeouts.drainIdle = .milliseconds(100)
        }
        let client = try FrameClient(server, settings: [(4, 1 << 30)], receiveBuffer: 4096)
        try client.send(.window(0, 1 << 30), .request(1, "/large"))
        _ = try client.next(.data)
        let other = try server.connect()
        // While the first connection is open, the server has two, and stops only after both have ended.
        #expect(try other.get("/now").status == 200)
        server.server.drain()
        #expect(try other.isEndedSilently())
        other.shutdownWriting()
        #expect(server.isStopped())
    }

    // MARK: Limits

    @Test func `a connection beyond the limit gets one answer and ends`() throws {
        let server = try TestServer.http2 { $0.maxConnections = 1 }
        let held = try FrameClient(server)
        #expect(try held.get(1, "/now").status == 200)
        let client = try FrameClient(server)
        try client.send(.request(1, "/exempt"))
        #expect(try client.answer(1).status == 200)
        #expect(try client.farewell()?.code == 0)
        let other = try FrameClient(server)
        #expect(try other.get(1, "/now").status == 503)
        #expect(try other.farewell()?.code == 0)
        #expect(try held.get(3, "/now").status == 200)
    }
}
