import Testing

@testable import FleetEngineToken

@Suite struct InsertionOrderTests {
    @Test func `records leave in the order in which they were added`() throws {
        let key = try CacheBench().key("a")
        var order = InsertionOrder()
        var next: UInt64 = 0
        var expected: UInt64 = 0
        for round in 0..<200 {
            for _ in 0..<(round % 7) {
                order.append(InsertionOrder.Record(key: key, sequence: next))
                next += 1
            }
            for _ in 0..<(round % 5) {
                guard let first = order.first else { break }
                #expect(first.sequence == expected)
                order.removeFirst()
                expected += 1
            }
            #expect(order.count == Int(next - expected))
        }
        #expect(next > 500)
    }

    @Test func `removing from an empty order changes nothing`() {
        var order = InsertionOrder()
        order.removeFirst()
        #expect(order.first == nil)
        #expect(order.count == 0)
    }

    @Test func `stale records are removed from between the others`() throws {
        let key = try CacheBench().key("a")
        var order = InsertionOrder()
        for sequence in UInt64(0)..<10 { order.append(InsertionOrder.Record(key: key, sequence: sequence)) }
        order.removeFirst()
        order.removeAll { $0.sequence.isMultiple(of: 2) }
        #expect(order.count == 5)
        #expect(order.first?.sequence == 1)
    }
}
