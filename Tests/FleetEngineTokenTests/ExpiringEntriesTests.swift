import Testing

@testable import FleetEngineToken

@Suite struct ExpiringEntriesTests {
    private struct Number: ExpiringEntry {
        let value: Int
        let bytes = 10
    }

    private var entries = ExpiringEntries<String, Number>()

    private mutating func insert(_ keys: String...) {
        for key in keys { entries.insert(Number(value: key.count), key) }
    }

    private func kept(_ keys: String...) -> [String] { keys.filter { entries.entry($0) != nil } }

    @Test mutating func `the oldest entry is removed first, whatever was found`() {
        insert("a", "b", "c")
        #expect(entries.entry("a")?.value == 1)
        let isRemoved = entries.removeOldest()
        #expect(isRemoved)
        #expect(kept("a", "b", "c") == ["b", "c"])
        #expect((entries.count, entries.bytes) == (2, 20))
    }

    @Test mutating func `an entry that was used stays once more`() {
        insert("a", "b", "c")
        #expect(entries.use("a")?.value == 1)
        #expect(entries.use("d") == nil)
        for rest in [["a", "c"], ["a"], []] {
            let isRemoved = entries.removeOldest()
            #expect(isRemoved)
            #expect(kept("a", "b", "c") == rest)
        }
        let isRemoved = entries.removeOldest()
        #expect(!isRemoved)
        #expect((entries.count, entries.bytes) == (0, 0))
    }

    @Test mutating func `the oldest entry stays unless it is like that`() {
        insert("aa", "b")
        let isRemoved = entries.removeOldest { $0.value == 1 }
        #expect(!isRemoved)
        #expect(kept("aa", "b") == ["aa", "b"])
    }

    @Test mutating func `a replaced or removed entry leaves nothing behind`() {
        insert("a", "b", "a", "c")
        entries.remove("c")
        #expect((entries.count, entries.bytes) == (2, 20))
        let isRemoved = entries.removeOldest()
        #expect(isRemoved)
        #expect(kept("a", "b", "c") == ["a"])
    }
}
