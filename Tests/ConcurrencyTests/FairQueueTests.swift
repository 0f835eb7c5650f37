import Testing

import Concurrency

/// Words in lines that are named by a letter.
struct FairQueueTests {
    private func queue(newAtOnce: Int = 0, _ words: String...) -> FairQueue<Character, String> {
        var queue = FairQueue<Character, String>(newAtOnce: newAtOnce)
        for word in words { queue.append(word, to: word.first ?? " ") }
        return queue
    }

    private func takeAll(_ queue: FairQueue<Character, String>) -> [String] {
        var queue = queue
        var taken: [String] = []
        while let word = queue.popFirst() { taken.append(word) }
        return taken
    }

    @Test func `lines take turns, and each keeps its order`() {
        let queue = queue("a1", "a2", "a3", "b1", "b2", "c1")
        #expect(queue.count == 6)
        #expect(takeAll(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test(arguments: [(0, "a2 b1 c1 d1 e1 a3"), (3, "b1 c1 d1 a2 e1 a3")])
    func `a line that was empty comes first, so many in a row`(newAtOnce: Int, order: String) {
        var queue = queue(newAtOnce: newAtOnce, "a1", "a2", "a3")
        let first = queue.popFirst()
        for word in ["b1", "c1", "d1", "e1"] { queue.append(word, to: word.first ?? " ") }
        #expect(first == "a1")
        #expect(takeAll(queue).joined(separator: " ") == order)
    }

    @Test func `a line that may have no turn keeps its place`() {
        var queue = queue("a1", "a2", "b1")
        let (first, second, none) = (
            queue.popFirst { $0 != "a" }, queue.popFirst { $0 == "a" }, queue.popFirst { _ in false }
        )
        #expect([first, second, none] == ["b1", "a1", nil])
        #expect(takeAll(queue) == ["a2"])
    }

    @Test func `the fullest line loses its oldest element, of several the latest`() {
        var queue = queue("a1", "a2", "b1", "b2", "c1")
        let evicted = (0..<6).map { _ in queue.popFirstOfFullest() }
        #expect(evicted == ["b1", "a1", "c1", "b2", "a2", nil])
        #expect(queue.isEmpty && queue.waiting.isEmpty)
    }

    @Test func `stale elements are removed, and their lines forgotten`() {
        var queue = queue(newAtOnce: 3, "a1", "a2", "b1", "c1")
        let first = queue.popFirst()
        queue.removeAll { $0 == "a2" || $0 == "b1" }
        #expect(first == "a1")
        #expect(queue.count == 1)
        #expect(Array(queue.waiting) == ["c"])
        #expect(takeAll(queue) == ["c1"])
    }
}
