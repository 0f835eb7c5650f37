extension JSONReader {
    /// The next byte, which stays unread. Throws at the end.
    package func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw error(.cutOff) }
        return bytes[offset]
    }

    /// Reads the next byte. Throws at the end.
    package mutating func next() throws(JSONError) -> UInt8 {
        let byte = try peek()
        offset += 1
        return byte
    }

    /// Reads the next byte if it is this one. Returns whether it was.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// Reads the next byte, which must be this one.
    package mutating func take(_ character: Unicode.Scalar, orThrow problem: JSONError.Problem) throws(JSONError) {
        guard try peek() == UInt8(ascii: character) else { throw error(problem) }
        offset += 1
    }

    /// Reads bytes up to the first that does not pass.
    mutating func skip(while passes: (UInt8) -> Bool) {
        while offset < bytes.count, passes(bytes[offset]) { offset += 1 }
    }

    /// Reads the white space of RFC 8259 section 2.
    mutating func skipSpace() {
        skip { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// An error at the next byte, or at another place.
    package func error(_ problem: JSONError.Problem, at place: Int? = nil) -> JSONError {
        JSONError(problem: problem, offset: place ?? offset)
    }
}
