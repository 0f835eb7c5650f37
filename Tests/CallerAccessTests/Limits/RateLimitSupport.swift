@testable import CallerAccess

/// One second in nanoseconds.
let second: UInt64 = 1_000_000_000

extension RateLimitKey {
    /// The key of an IPv6 /64 made of the bytes of a number.
    init(_ number: UInt64) {
        let bytes = withUnsafeBytes(of: number) { Array($0) }
        self.init(address: bytes.span)
    }
}

extension RateLimiter {
    /// Takes until one is refused, or one too many was allowed, and says how many were allowed.
    func takeAll(_ key: RateLimitKey, at now: UInt64) -> Int {
        for count in 0...limit.burst where take(key, at: now) != .allowed { return count }
        return limit.burst + 1
    }
}

extension RateLimitBuckets {
    /// Like `RateLimiter.takeAll`.
    mutating func takeAll(_ digest: UInt64, _ limit: RateLimit, at now: UInt64) -> Int {
        for count in 0...limit.burst where take(digest, limit, at: now) != .allowed { return count }
        return limit.burst + 1
    }
}

/// SplitMix64: numbers that are the same for the same seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
