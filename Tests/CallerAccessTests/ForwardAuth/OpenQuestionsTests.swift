import CallerAccess
import OpenSSLCrypto
import Testing

@Suite struct OpenQuestionsTests {
    private func digest(_ question: UInt8) -> SHA256Digest { SHA256Digest(of: [question]) }

    @Test func `equal questions are asked once, and waiters are answered in order`() {
        var questions = OpenQuestions<String>()
        let asks = [("a", 1), ("b", 1), ("c", 2), ("d", 1)].map { questions.add($0.0, digest($0.1)) }
        #expect(asks == [true, false, true, false])
        #expect(questions.end(digest(1)) == ["a", "b", "d"])
        #expect(questions.end(digest(1)).isEmpty)
        let asksAgain = questions.add("e", digest(1))
        #expect(asksAgain)
        #expect(questions.end(digest(2)) == ["c"])
    }
}
