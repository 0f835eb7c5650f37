import OpenSSLCrypto

/// What a cache remembers under a key for a while.
protocol RememberedEntry: Sendable {
    /// Bytes that remembering it costs, reckoned rather too high.
    var bytes: Int { get }

    /// Whether it still holds, by the clock that its owner reckons with.
    func counts(at now: Int64) -> Bool
}

/// By what an entry is found: a digest, or a part of what somebody proved.
protocol RememberedKey: Hashable, Sendable {
    /// A part of it that is about as often one number as another.
    var beginning: UInt64 { get }
}

extension SHA256Digest: RememberedKey {}
