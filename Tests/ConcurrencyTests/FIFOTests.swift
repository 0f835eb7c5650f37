import Testing

@testable import Concurrency

struct FIFOTests {
    @Test func `elements are removed in the order of insertion`() {
        var queue = FIFO<Int>()
        for number in 0..<1000 { queue.append(number) }
        var popped: [Int] = []
        while let number = queue.popFirst() { popped.append(number) }
        #expect(popped == Array(0..<1000))
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test(arguments: UInt64(1)...5)
    func `interleaved appends and pops keep the order`(seed: UInt64) {
        var random = seed
        var queue = FIFO<Int>()
        var appended = 0
        var popped = 0
        for _ in 0..<20_000 {
            if nextBit(&random) {
                queue.append(appended)
                appended += 1
            } else if let number = queue.popFirst() {
                #expect(number == popped)
                popped += 1
            }
            #expect(queue.isEmpty == (appended == popped))
        }
    }

    @Test func `stale elements are removed and the rest keep their order`() {
        var queue = FIFO<Int>()
        for number in 0..<100 { queue.append(number) }
        for _ in 0..<10 { queue.popFirst() }
        queue.removeAll { !$0.isMultiple(of: 3) }
        #expect(queue.count == 30)
        #expect(queue.first == 12)
    }

    @Test func `an element is released when it leaves the queue`() {
        final class Object {}
        var queue = FIFO<Object>()
        queue.append(Object())
        weak let object = queue.first
        queue.popFirst()
        #expect(object == nil)
    }

    /// One bit of a linear congruential generator (Knuth, MMIX).
    private func nextBit(_ state: inout UInt64) -> Bool {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 63 == 1
    }
}
