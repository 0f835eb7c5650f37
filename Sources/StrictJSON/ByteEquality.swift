extension String {
    /// Whether both have the same bytes of UTF-8. Swift's `==` also accepts canonically equivalent texts, and an
    /// attacker's text can make it slow.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let areSame = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                UnsafeRawBufferPointer(one).hasSameBytes(as: UnsafeRawBufferPointer(other))
            }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension ArraySlice<UInt8> {
    /// Whether both have the same bytes.
    package func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { one.hasSameBytes(as: $0) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        let whole = count & ~7
        for start in stride(from: 0, to: whole, by: 8) {
            let eight = loadUnaligned(fromByteOffset: start, as: UInt64.self)
            guard eight == other.loadUnaligned(fromByteOffset: start, as: UInt64.self) else { return false }
        }
        for index in whole..<count where self[index] != other[index] { return false }
        return true
    }
}

extension UInt64 {
    /// The highest bit of each of the eight bytes that equals this byte, and no other bit.
    @inline(__always)
    package func places(of byte: UInt8) -> UInt64 {
        let differences = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
        // The sum carries into the eighth bit at most, never into the next byte.
        let carries = (differences & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
        return ~(carries | differences) & 0x8080_8080_8080_8080
    }
}
