import Concurrency
import OpenSSLCrypto

/// Random numbers that spread renewals. Many are drawn at once, since Swift's generator calls the kernel for each.
final class JitterSource: Sendable {
    private struct Drawn: RandomNumberGenerator {
        private var bytes: ArraySlice<UInt8> = []

        mutating func next() -> UInt64 {
            if bytes.isEmpty {
                guard let new = try? SecureRandom.bytes(1024) else { return .random(in: .min ... .max) }
                bytes = new[...]
            }
            defer { bytes = bytes.dropFirst(8) }
            return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private let drawn = Guarded(Drawn())

    /// A number from 0 up to 1.
    @Sendable func next() -> Double { drawn.withLock { Double.random(in: 0..<1, using: &$0) } }
}
