/// The name of a JSON object's member. Two names are equal if their code points are the same (RFC 8259 section 8.3). Swift
/// compares strings by canonical equivalence: the kelvin sign equals a K, and hashing a name that is mostly combining
/// marks takes quadratic time.
package struct JSONName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The most bytes of a name that fit into `brief`.
    static let briefest = 7

    /// The first seven bytes of the name, and its length. This alone distinguishes nearly all names.
    private let brief: UInt64
    /// The name if it is longer, otherwise empty: a string for each name of a token took longer than reading the token.
    private let long: String

    /// The name with this text, without escapes.
    package init(_ text: String) {
        let brief = text.utf8.withContiguousStorageIfAvailable { Self.brief($0) }
        self.brief = brief ?? Self.brief(Array(text.utf8))
        long = text.utf8.count > Self.briefest ? text : ""
    }

    /// The name with this text, without escapes.
    package init(stringLiteral text: StaticString) {
        let utf8 = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        brief = Self.brief(utf8)
        long = utf8.count > Self.briefest ? String(decoding: utf8, as: UTF8.self) : ""
    }

    /// The name made of the first `count` of eight bytes, at most `briefest`. They are ASCII; the lowest byte is the first.
    package init(first count: Int, of eight: UInt64) {
        brief = (count == 0 ? 0 : eight.byteSwapped >> UInt64(64 - 8 * count)) << 8 | UInt64(count)
        long = ""
    }

    /// The name, its escapes resolved.
    package var text: String {
        guard isBrief else { return long }
        let count = Int(brief & 0xFF)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: brief >> UInt64(8 * (count - $0))) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Bytes on the heap.
    package var heapBytes: Int { long.heapBytes }

    /// Whether both have the same code points.
    package static func == (one: JSONName, other: JSONName) -> Bool {
        one.brief == other.brief && (one.isBrief || one.long.hasSameBytes(as: other.long))
    }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(brief)
        var long = long
        long.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    private static func brief(_ utf8: some RandomAccessCollection<UInt8>) -> UInt64 {
        var brief: UInt64 = 0
        for byte in utf8.prefix(briefest) { brief = brief << 8 | UInt64(byte) }
        return brief << 8 | UInt64(UInt8(clamping: utf8.count))
    }

    /// Whether no other name has the same `brief`.
    private var isBrief: Bool { brief & 0xFF <= UInt64(Self.briefest) }
}
