import OpenSSLSigner

/// The place in a chain of audit lines: how many there are, and the hash of the last one, which it holds itself and the
/// next one must name. Whoever changes, removes or moves a line would have to write all that follow it anew.
struct AuditChain: Equatable, Sendable {
    /// How many lines the chain has: the number of the last one.
    let sequence: Int64
    /// SHA-256 of the last line's bytes up to its member `hash`: 64 lower-case hexadecimal digits.
    let hash: [UInt8]

    /// A chain without a line.
    static let beginning = AuditChain(sequence: 0, hash: [UInt8](repeating: UInt8(ascii: "0"), count: 64))

    /// The line that follows, of these members, and the chain after it: its number, the hash before it and its own are
    /// added; its end is not given.
    func next(_ opening: [UInt8]) -> (line: [UInt8], chain: AuditChain) {
        var line = opening
        line.reserveCapacity(opening.count + 192)
        line += AuditLine.sequenceMember
        line += String(sequence + 1).utf8
        line += AuditLine.previousMember
        line += hash
        line.append(UInt8(ascii: "\""))
        let own = Self.hash(of: line)
        line += AuditLine.hashMember
        line += own
        line += AuditLine.end
        return (line, AuditChain(sequence: sequence + 1, hash: own))
    }

    /// The hash of a line's bytes up to its member `hash`.
    static func hash(of line: [UInt8]) -> [UInt8] { digits(SHA256Digest(of: line).bytes) }

    /// Lower-case hexadecimal digits.
    static func hex(_ bytes: some Collection<UInt8>) -> String { String(decoding: digits(bytes), as: UTF8.self) }

    private static func digits(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 0xF))
        }
        return digits
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
