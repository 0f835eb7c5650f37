/// What a cache remembers under a digest for a while.
protocol RememberedEntry: Sendable {
    /// Bytes that remembering it costs, reckoned rather too high.
    var bytes: Int { get }

    /// Whether it still holds, by the clock that its owner reckons with.
    func counts(at now: Int64) -> Bool
}
