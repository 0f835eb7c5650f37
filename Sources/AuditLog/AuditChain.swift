import OpenSSLCrypto
import StrictJSON

/// A position in a chain of audit lines: how many lines there are, and the hash of the last one, which the next one must
/// name. To change, remove or move a line, all lines after it have to be rewritten.
package struct AuditChain: Equatable, Sendable {
    /// How many lines the chain has: the number of the last one.
    package let sequence: Int64
    /// SHA-256 of the last line's bytes up to its member `hash`: 64 lower-case hexadecimal digits.
    package let hash: [UInt8]

    /// A chain without a line.
    package static let beginning = AuditChain(sequence: 0, hash: [UInt8](repeating: UInt8(ascii: "0"), count: 64))

    /// The hash for people and logs.
    package var hashText: String { String(decoding: hash, as: UTF8.self) }

    /// The next line, without its line end, and the chain after it. The line starts with these bytes; its number, the
    /// previous hash and its own are added.
    package func next(_ start: [UInt8]) -> (line: [UInt8], chain: AuditChain) {
        var line = start
        line.reserveCapacity(start.count + 192)
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
    package static func hash(of line: [UInt8]) -> [UInt8] {
        HexadecimalDigit.digits(of: SHA256Digest(of: line).bytes.span)
    }
}
