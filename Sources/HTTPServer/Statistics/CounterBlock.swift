import Synchronization

/// Counters of one loop, which alone writes them; every thread may read them at any time.
///
/// To count is a plain load and a plain store: no lock, no locked instruction, and no cache line that another loop
/// writes.
///
/// `@unchecked Sendable`: the memory is its own, each counter is atomic, and only the loop that it belongs to stores.
final class CounterBlock: @unchecked Sendable {
    /// Two cache lines, since processors fetch them in pairs.
    private static let alignment = 128

    private let counters: UnsafeMutablePointer<Atomic<UInt64>>

    /// So many counters, all at 0.
    init(count: Int) {
        let bytes = count * MemoryLayout<Atomic<UInt64>>.stride
        let rounded = (bytes + CounterBlock.alignment - 1) / CounterBlock.alignment * CounterBlock.alignment
        let memory = UnsafeMutableRawPointer.allocate(byteCount: rounded, alignment: CounterBlock.alignment)
        counters = memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit { counters.deallocate() }

    /// Counts; for the loop alone, which sees to it that there is such an index.
    @inline(__always)
    func add(_ amount: UInt64 = 1, at index: Int) {
        let value = counters[index].load(ordering: .relaxed)
        counters[index].store(value &+ amount, ordering: .relaxed)
    }

    /// What was counted so far.
    subscript(index: Int) -> UInt64 { counters[index].load(ordering: .relaxed) }
}
