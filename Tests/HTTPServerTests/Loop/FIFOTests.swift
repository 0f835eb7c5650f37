import Testing

@testable import HTTPServer

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
        var generator = SeededGenerator(seed: seed)
        var queue = FIFO<Int>()
        var appended = 0
        var popped = 0
        for _ in 0..<20_000 {
            if Bool.random(using: &generator) {
                queue.append(appended)
                appended += 1
            } else if let number = queue.popFirst() {
                #expect(number == popped)
                popped += 1
            }
            #expect(queue.isEmpty == (appended == popped))
        }
    }
}
