extension UInt64 {
    /// The highest bit of each of the eight bytes that is this one, and no other bit.
    @inline(__always)
    package func places(of byte: UInt8) -> UInt64 {
        let differences = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
        // Seven bits at most carry into the eighth, never into the byte above.
        let carries = (differences & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
        return ~(carries | differences) & 0x8080_8080_8080_8080
    }
}
