import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

struct PendingAnswersTests {
    private func request(_ id: UInt64) -> OpenRequest {
        OpenRequest(refusedWithID: id, isHead: false, isPersistent: true, began: 0)
    }

    private func response() throws -> HTTPResponse {
        guard case .now(let response) = TestServer.text("a") else { throw CancellationError() }
        return response
    }

    @Test func `the work of a stream is taken once, with its request`() {
        var pending = PendingAnswers()
        for stream: UInt32 in 0...4 {
            pending.add(request(UInt64(stream)), of: stream) { _ in TestServer.text("a") }
        }
        for stream: UInt32 in 0...4 {
            let promised = pending.takePromised(of: stream)
            let (first, second) = (pending.takeWork(of: stream), pending.takeWork(of: stream))
            #expect(promised == nil)
            #expect(first?.0.context.requestID == UInt64(stream))
            #expect(second == nil)
        }
    }

    @Test func `a promised answer is taken once, and is not work`() {
        var pending = PendingAnswers()
        pending.addPromised(request(7), of: 3, LateAnswer.Life())
        let (work, other) = (pending.takeWork(of: 3), pending.takePromised(of: 5))
        let (first, second) = (pending.takePromised(of: 3), pending.takePromised(of: 3))
        #expect(work == nil)
        #expect(other == nil)
        #expect(first?.context.requestID == 7)
        #expect(second == nil)
    }

    @Test func `a promised answer is awaited until it or the end comes`() throws {
        let mailbox = try Mailbox()
        var pending = PendingAnswers()
        func promise(_ stream: UInt32) -> LateAnswer {
            let life = LateAnswer.Life()
            pending.addPromised(request(1), of: stream, life)
            return LateAnswer(to: stream, of: 1, life, by: mailbox)
        }
        let (ended, answered, open) = (promise(1), promise(3), promise(5))
        #expect([ended, answered, open].map(\.isAwaited) == [true, true, true])
        pending.remove(1)
        _ = pending.takePromised(of: 3)
        #expect([ended, answered, open].map(\.isAwaited) == [false, false, true])
        pending = PendingAnswers()
        #expect(!open.isAwaited)
    }

    @Test func `an ended stream waits for nothing, while others do`() {
        var pending = PendingAnswers()
        for stream: UInt32 in [1, 3] {
            pending.addPromised(request(UInt64(stream)), of: stream, LateAnswer.Life())
        }
        pending.remove(1)
        let (ended, open) = (pending.takePromised(of: 1), pending.takePromised(of: 3))
        #expect(ended == nil)
        #expect(open?.context.requestID == 3)
    }

    @Test func `ready answers are taken together, in order, once`() throws {
        var pending = PendingAnswers()
        let isFirst = try [5, 3].map { pending.addReady(try response(), to: request(1), of: $0) }
        #expect(isFirst == [true, false])
        let (ready, rest) = (pending.takeReady(), pending.takeReady())
        #expect(ready.map(\.stream) == [5, 3])
        #expect(rest.isEmpty)
        let isFirstAgain = pending.addReady(try response(), to: request(3), of: 1)
        #expect(isFirstAgain)
    }
}
