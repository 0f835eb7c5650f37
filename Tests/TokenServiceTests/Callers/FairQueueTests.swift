import CallerAccess
import Testing

@testable import TokenService

@Suite struct FairQueueTests {
    private let one = RateLimitKey(address: [1].span)
    private let two = RateLimitKey(address: [2].span)
    private let three = RateLimitKey(address: [3].span)

    @Test func `callers take turns, each with its oldest work`() {
        var queue = FairQueue<String>(mostOfCaller: 9, mostInAll: 9)
        for work in ["a1", "a2", "a3"] { _ = queue.add(work, of: one) }
        _ = queue.add("b1", of: two)
        _ = queue.add("c1", of: three)
        var taken: [String] = []
        while let next = queue.next() {
            taken.append(next.work)
            queue.end(next.caller)
        }
        #expect(taken == ["a1", "b1", "c1", "a2", "a3"])
    }

    @Test func `a caller has one piece of work in progress`() {
        var queue = FairQueue<String>(mostOfCaller: 9, mostInAll: 9)
        for (work, caller) in [("a1", one), ("a2", one), ("b1", two)] { _ = queue.add(work, of: caller) }
        var taken = (0..<3).map { _ in queue.next()?.work }
        _ = queue.add("a3", of: one)
        taken.append(queue.next()?.work)
        queue.end(one)
        taken.append(queue.next()?.work)
        #expect(taken == ["a1", "b1", nil, nil, "a2"])
    }

    @Test func `no more waits than allowed, of a caller and in all`() {
        var queue = FairQueue<Int>(mostOfCaller: 2, mostInAll: 3)
        let added = [one, one, one, two, two, three].enumerated().map { queue.add($0.offset, of: $0.element) }
        #expect(added == [true, true, false, true, false, false])
        let first = queue.next()?.work
        #expect(first == 0)
        let isAdded = queue.add(7, of: three)
        #expect(isAdded)
    }
}
