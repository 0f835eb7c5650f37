import CallerAccess
import OpenSSLCrypto
import Testing

@Suite struct OpenQuestionsTests {
    private func digest(_ question: UInt8) -> SHA256Digest { SHA256Digest(of: [question]) }

    @Test func `equal questions are asked once, and waiters are answered in order`() {
        var questions = OpenQuestions<String>(most: 9)
        let asked = [("a", 1), ("b", 1), ("c", 2), ("d", 1)].map { questions.add($0.0, digest($0.1)).isAsked }
        #expect(asked == [false, true, false, true])
        #expect(questions.end(digest(1)) == ["b", "d"])
        #expect(questions.end(digest(1)).isEmpty)
        let again = questions.add("e", digest(1))
        #expect(!again.isAsked && again.evicted == nil)
        #expect(questions.end(digest(2)).isEmpty)
    }

    @Test func `the first waiter for the fullest question makes way`() {
        var questions = OpenQuestions<Int>(most: 4)
        let evicted = [1, 1, 1, 1, 2, 2, 2, 1, 2].enumerated().map { number, question in
            questions.add(number, digest(question)).evicted
        }
        #expect(evicted == [nil, nil, nil, nil, nil, nil, 1, 2, 5])
        #expect(questions.end(digest(1)) == [3, 7])
        #expect(questions.end(digest(2)) == [6, 8])
        let later = (0..<5).map { questions.add($0, digest(3)).evicted }
        #expect(later == [nil, nil, nil, nil, nil])
    }
}
