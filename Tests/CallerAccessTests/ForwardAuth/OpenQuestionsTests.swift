import CallerAccess
import Testing

@Suite struct OpenQuestionsTests {
    @Test func `equal questions are asked once, and all who wait are told in their order`() {
        var questions = OpenQuestions<String>(maxWaiting: 10)
        #expect(questions.add("a", [1]) == .ask)
        #expect(questions.add("b", [1]) == .wait)
        #expect(questions.add("c", [2]) == .ask)
        #expect(questions.add("d", [1]) == .wait)
        #expect(questions.end([1]) == ["a", "b", "d"])
        #expect(questions.end([1]).isEmpty)
        #expect(questions.add("e", [1]) == .ask)
        #expect(questions.end([2]) == ["c"])
    }

    @Test func `no more wait than may, and there is room again once some were told`() {
        var questions = OpenQuestions<Int>(maxWaiting: 3)
        #expect(questions.add(1, [1]) == .ask)
        #expect(questions.add(2, [1]) == .wait)
        #expect(questions.add(3, [2]) == .ask)
        #expect(questions.add(4, [1]) == .refuse)
        #expect(questions.add(5, [3]) == .refuse)
        #expect(questions.end([1]) == [1, 2])
        #expect(questions.add(6, [3]) == .ask)
        #expect(questions.add(7, [2]) == .wait)
        #expect(questions.add(8, [2]) == .refuse)
        #expect(questions.end([2]) == [3, 7])
    }
}
