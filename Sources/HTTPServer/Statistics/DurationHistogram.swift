/// How long something took, how often: counts of durations up to each of a few bounds.
package struct DurationHistogram: Sendable, Equatable {
    /// The bounds, in nanoseconds; a duration that is longer than the last has a count of its own.
    package let bounds: [UInt64]
    /// How many were within each bound and beyond the one before; the last count is of those beyond all bounds.
    package private(set) var counts: [UInt64]
    /// The sum of all durations, in nanoseconds.
    package private(set) var sum: UInt64 = 0

    /// No duration yet.
    package init(bounds: [UInt64]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    /// Where a duration is counted.
    package static func index(of duration: UInt64, in bounds: [UInt64]) -> Int {
        bounds.firstIndex { duration <= $0 } ?? bounds.count
    }

    /// Adds one duration, in nanoseconds.
    package mutating func add(_ duration: UInt64) {
        counts[DurationHistogram.index(of: duration, in: bounds)] += 1
        sum &+= duration
    }

    /// Adds what was counted elsewhere by the same bounds.
    mutating func add(_ more: (Int) -> UInt64, sum: UInt64) {
        for index in counts.indices { counts[index] += more(index) }
        self.sum &+= sum
    }
}
