import Concurrency
import HTTPClient
import Testing

@testable import HTTP2Client

/// HTTP/2 from bytes to answers, without a socket.
struct ClientSessionTests {
    /// The server's part, byte by byte (RFC 9113 section 4.1).
    private enum Server {
        static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
            [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, flags, 0, 0, 0, stream] + payload
        }

        static let settings = frame(4, 0, 0)
        static func settings(streams: UInt8) -> [UInt8] { frame(4, 0, 0, [0, 3, 0, 0, 0, streams]) }
        /// The status 200 is in the static table (RFC 7541 appendix A).
        static func head(_ stream: UInt8, isLast: Bool = false) -> [UInt8] { frame(1, isLast ? 5 : 4, stream, [0x88]) }
        static func body(_ stream: UInt8, _ text: String, isLast: Bool = true) -> [UInt8] {
            frame(0, isLast ? 1 : 0, stream, Array(text.utf8))
        }
        static func reset(_ stream: UInt8, _ code: UInt8) -> [UInt8] { frame(3, 0, stream, [0, 0, 0, code]) }
        static func goAway(last: UInt8) -> [UInt8] { frame(7, 0, 0, [0, 0, 0, last, 0, 0, 0, 0]) }
    }

    private let session: ClientSession

    init() throws {
        session = try #require(ClientSession())
        take(Server.settings)
        _ = output()
    }

    private func take(_ bytes: [UInt8]) { bytes.withUnsafeBytes { session.receive($0) } }

    private func output() -> [UInt8] {
        var output: [UInt8] = []
        session.produce(into: &output)
        return output
    }

    /// Begins a request and sends it.
    @discardableResult
    private func begin(_ body: String = "asked", until deadline: Duration = .seconds(60), maxBodyBytes: Int = 100)
        throws
        -> StreamCall
    {
        let url = try OutgoingURL("https://server.test/v1/path")
        let request = try HTTPClientRequest(
            url: url, method: .post(Array(body.utf8)),
            limits: HTTPClientLimits(connectTimeout: deadline, totalTimeout: deadline, maxBodyBytes: maxBodyBytes))
        let call = StreamCall(request, at: 0) { _ in {} }
        #expect(session.begin(call, at: 0))
        return call
    }

    /// The outcomes since the last look.
    private func outcomes() -> [String] {
        session.takeEnded().calls.map { ended in
            switch ended.outcome {
            case .answered(let response): "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
            case .failed(let cause, _): "\(cause)"
            case .refused: "refused"
            }
        }
    }

    @Test func `an answer is whole with its last frame, however it is cut`() throws {
        try begin()
        let sent = output()
        #expect(sent.suffix(5) == Array("asked".utf8))
        for byte in Server.head(1) + Server.body(1, "an", isLast: false) + Server.body(1, "swer") {
            #expect(outcomes() == [])
            take([byte])
        }
        #expect(outcomes() == ["200 answer"])
    }

    @Test func `answers may come in another order`() throws {
        for _ in 0..<3 { try begin() }
        _ = output()
        take(Server.head(5) + Server.head(1) + Server.body(5, "third") + Server.head(3, isLast: true))
        take(Server.body(1, "first"))
        #expect(outcomes() == ["200 third", "200 ", "200 first"])
    }

    @Test func `a body beyond the limit ends its request alone`() throws {
        try begin(maxBodyBytes: 3)
        try begin()
        _ = output()
        take(Server.head(1) + Server.body(1, "four", isLast: false) + Server.head(3) + Server.body(3, "four"))
        #expect(outcomes() == ["tooLarge(part: \"a body\", limit: 3)", "200 four"])
        _ = output()
        #expect(session.takeEnded().streams == 1)
    }

    @Test func `a refused stream is told from a failed one`() throws {
        for _ in 0..<2 { try begin() }
        _ = output()
        take(Server.reset(1, 7) + Server.reset(3, 2))
        #expect(outcomes() == ["refused", "other(reason: \"the stream was reset (INTERNAL_ERROR)\")"])
    }

    @Test func `a stream that ends without an answer fails`() throws {
        try begin()
        _ = output()
        take(Server.head(1) + Server.reset(1, 0))
        #expect(outcomes() == ["other(reason: \"the stream was reset (NO_ERROR)\")"])
    }

    @Test func `after a farewell requests beyond it are refused and no more begin`() throws {
        for _ in 0..<2 { try begin() }
        _ = output()
        take(Server.goAway(last: 1))
        #expect(session.isDraining)
        #expect(outcomes() == ["refused"])
        take(Server.head(1) + Server.body(1, "last"))
        #expect(outcomes() == ["200 last"])
        let late = try HTTPClientRequest(
            url: OutgoingURL("https://server.test/"),
            limits: HTTPClientLimits(connectTimeout: .seconds(1), totalTimeout: .seconds(1), maxBodyBytes: 1))
        #expect(!session.begin(StreamCall(late, at: 0) { _ in {} }, at: 0))
    }

    @Test func `the server's limit is known once it has said so`() throws {
        let fresh = try #require(ClientSession())
        #expect(fresh.limit == nil)
        #expect(session.limit == Int(UInt32.max))
        take(Server.settings(streams: 7))
        #expect(session.limit == 7)
    }

    @Test func `calls end at their own deadlines`() throws {
        let early = try begin(until: .seconds(1))
        let late = try begin(until: .seconds(2))
        _ = output()
        #expect(session.earliestDeadline == early.deadline)
        #expect(session.expire(at: early.deadline - 1).isEmpty)
        #expect(session.expire(at: early.deadline).map { $0 === early } == [true])
        #expect(session.earliestDeadline == late.deadline)
        // The reset frees the stream; what comes for it then is dropped.
        #expect(output().suffix(13).prefix(4) == [0, 0, 4, 3])
        #expect(session.takeEnded().streams == 1)
        take(Server.head(1) + Server.body(1, "late") + Server.head(3) + Server.body(3, "answer"))
        #expect(outcomes() == ["200 answer"])
    }

    @Test func `an answer may come before its request is sent whole`() throws {
        try begin(String(repeating: "x", count: 100_000))
        _ = output()
        take(Server.head(1, isLast: true))
        _ = output()
        #expect(outcomes() == ["200 "])
    }

    @Test func `a server that breaks the rules is distinguished from others`() {
        #expect(session.fault == nil)
        take(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        _ = output()
        #expect(session.fault != nil)
    }

    @Test func `any prefix of an answer followed by garbage ends without a crash`() throws {
        let answer = Server.head(1) + Server.body(1, "answer")
        for count in answer.indices {
            let other = try ClientSessionTests()
            try other.begin()
            _ = other.output()
            other.take(Array(answer[..<count]) + [UInt8](repeating: 0xFF, count: 64))
            _ = other.output()
            #expect(other.outcomes() != ["200 answer"])
        }
    }
}
