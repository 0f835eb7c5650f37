import Testing

@testable import HTTPServer

/// Promises without an event loop: the messages that reach its mailbox.
struct LateAnswerTests {
    private static let time = ServerTime(monotonic: 1, epochSeconds: 2)

    /// A message as text.
    private func words(_ message: Mailbox.Message?) -> String {
        switch message {
        case .answer(let connection, _, let answer): "\(connection): \(words(answer(Self.time)))"
        case .abandoned(let connection, _, let change):
            "\(connection): abandoned, " + words(change?(TestServer.text("r")) ?? TestServer.text("r"))
        case .drain, .stop, .settings, .application, .turn, .evicted, nil: "nothing"
        }
    }

    private func words(_ answer: HTTPAnswer) -> String {
        switch answer {
        case .now(let response): String(decoding: response.body, as: UTF8.self)
        case .afterWork(let work): "after work " + words(work(Self.time))
        case .afterBatch(_, let work): "after a batch " + words(work(Self.time))
        case .later: "later"
        }
    }

    private let life = AwaitingRequest.Life()

    private func promise(_ connection: UInt64, _ mailbox: Mailbox, _ life: AwaitingRequest.Life? = nil) -> LateAnswer {
        let identity = ConnectionIdentity(loop: ObjectIdentifier(mailbox), number: connection)
        return LateAnswer(to: AwaitingRequest(connection: identity, life: life ?? self.life), mailbox: mailbox)
    }

    private static let doubled: @Sendable (HTTPResponse) -> HTTPResponse = { response in
        HTTPResponse(status: response.status, fields: response.fields, body: response.body + response.body)
    }

    @Test func `a kept or dropped promise sends exactly one message`() throws {
        let mailbox = try Mailbox()
        promise(7, mailbox).give { _ in TestServer.text("a") }
        _ = promise(8, mailbox)
        #expect(mailbox.takeAll().map(words) == ["7: a", "8: abandoned, r"])
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test func `a mapping applies to immediate, deferred and late answers`() throws {
        let mailbox = try Mailbox()
        #expect(words(TestServer.text("a").map(Self.doubled)) == "aa")
        #expect(words(HTTPAnswer.afterWork { _ in TestServer.text("a") }.map(Self.doubled)) == "after work aa")
        let late = HTTPAnswer.later { $0.give { _ in .afterWork { _ in TestServer.text("a") } } }
        guard case .later(let begin) = late.map(Self.doubled).map(Self.doubled) else {
            Issue.record("expected a late answer")
            return
        }
        begin(promise(9, mailbox))
        #expect(mailbox.takeAll().map(words) == ["9: after work aaaa"])
    }

    @Test func `a dropped promise is reported once, with its mapping`() throws {
        let mailbox = try Mailbox()
        guard case .later(let begin) = HTTPAnswer.later({ _ in }).map(Self.doubled) else { return }
        begin(promise(3, mailbox))
        #expect(mailbox.takeAll().map(words) == ["3: abandoned, rr"])
    }

    @Test func `a promise that is dropped after its client is not reported`() throws {
        let mailbox = try Mailbox()
        var gone: AwaitingRequest.Life? = AwaitingRequest.Life()
        let late = promise(4, mailbox, gone)
        gone = nil
        _ = consume late
        #expect(mailbox.takeAll().isEmpty)
    }
}
