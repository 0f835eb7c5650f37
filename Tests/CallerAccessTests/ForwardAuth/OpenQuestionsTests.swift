import CallerAccess
import OpenSSLCrypto
import Testing

@Suite struct OpenQuestionsTests {
    private func digest(_ question: UInt8) -> SHA256Digest { SHA256Digest(of: [question]) }

    @Test func `equal questions are asked once, and waiters are answered in order`() {
        var questions = OpenQuestions<String>(maxWaiting: 10)
        #expect(questions.add("a", digest(1)) == .ask)
        #expect(questions.add("b", digest(1)) == .wait)
        #expect(questions.add("c", digest(2)) == .ask)
        #expect(questions.add("d", digest(1)) == .wait)
        #expect(questions.end(digest(1)) == ["a", "b", "d"])
        #expect(questions.end(digest(1)).isEmpty)
        #expect(questions.add("e", digest(1)) == .ask)
        #expect(questions.end(digest(2)) == ["c"])
    }

    @Test func `questions over the limit are refused until waiters are answered`() {
        var questions = OpenQuestions<Int>(maxWaiting: 3)
        #expect(questions.add(1, digest(1)) == .ask)
        #expect(questions.add(2, digest(1)) == .wait)
        #expect(questions.add(3, digest(2)) == .ask)
        #expect(questions.add(4, digest(1)) == .refuse)
        #expect(questions.add(5, digest(3)) == .refuse)
        #expect(questions.end(digest(1)) == [1, 2])
        #expect(questions.add(6, digest(3)) == .ask)
        #expect(questions.add(7, digest(2)) == .wait)
        #expect(questions.add(8, digest(2)) == .refuse)
        #expect(questions.end(digest(2)) == [3, 7])
    }
}
