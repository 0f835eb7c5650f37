import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// Promises without an event loop: the messages that reach its mailbox.
struct LateAnswerTests {
    private static let time = ServerTime(monotonic: 1, epochSeconds: 2)

    /// A message as text.
    private func words(_ message: Mailbox.Message) -> String {
        guard case .answer(let connection, let stream, let answer) = message else { return "nothing" }
        guard case .now(let response) = answer?(Self.time) else { return "\(connection)/\(stream): abandoned" }
        return "\(connection)/\(stream): \(String(decoding: response.body, as: UTF8.self))"
    }

    private let life = LateAnswer.Life()

    @Test func `a promise that is kept twice sends one message`() throws {
        let mailbox = try Mailbox()
        let promise = LateAnswer(to: 3, of: 7, life, by: mailbox)
        for text in ["a", "b"] { promise.give { _ in TestServer.text(text) } }
        #expect(mailbox.takeAll().map(words) == ["7/3: a"])
    }

    @Test func `a promise is reported as abandoned only without an answer`() throws {
        let mailbox = try Mailbox()
        LateAnswer(of: 7, life, by: mailbox).give { _ in TestServer.text("a") }
        _ = LateAnswer(of: 8, life, by: mailbox)
        #expect(mailbox.takeAll().map(words) == ["7/0: a", "8/0: abandoned"])
    }

    @Test func `a promise that is dropped after its client is not reported`() throws {
        let mailbox = try Mailbox()
        var life: LateAnswer.Life? = LateAnswer.Life()
        var promise = life.map { LateAnswer(of: 4, $0, by: mailbox) }
        #expect(promise?.isAwaited == true)
        life = nil
        #expect(promise?.isAwaited == false)
        promise = nil
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test func `an async function keeps a promise from its own thread`() async throws {
        let mailbox = try Mailbox()
        let promise = LateAnswer(of: 5, life, by: mailbox)
        await Task { promise.give { _ in TestServer.text("async") } }.value
        #expect(mailbox.takeAll().map(words) == ["5/0: async"])
    }
}
