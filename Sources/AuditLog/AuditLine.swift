/// One line of an audit log as it is read back, and the parts that are the same in every line, byte for byte.
package struct AuditLine {
    /// No line is longer, because the limits of a request bound its record.
    package static let maxBytes = 65_536
    /// The longest start of a line, before the chain adds its number and hashes.
    static let maxStartBytes = maxBytes - 256
    package static let start = Array(#"{"time":""#.utf8)
    static let sequenceMember = Array(#","seq":"#.utf8)
    static let previousMember = Array(#","prev":""#.utf8)
    static let hashMember = Array(#","hash":""#.utf8)
    package static let end = Array(#""}"#.utf8)
    /// More than any audit log can reach.
    private static let maxSequence: Int64 = 1 << 53
    private static let timeBytes = 24
    /// Where the time ends in each line.
    package static let timeEnd = start.count + timeBytes
    private static let hashBytes = 64

    /// RFC 3339, as written.
    package let time: String
    /// The line's number in the chain.
    package let sequence: Int64
    /// What it says is the previous line's hash.
    package let previous: [UInt8]
    /// What it says is its own hash.
    package let hash: [UInt8]
    /// Whether that is true.
    let isIntact: Bool
    /// What it says about the audit log itself; nil for a record of a request.
    package let note: AuditNote?
    /// How many refusals it counts that have no line of their own.
    package let counted: Int64

    /// Reads a line without its line end; nil if the bytes are not a whole line.
    package init?(_ bytes: [UInt8]) {
        let tail = Self.hashMember.count + Self.hashBytes + Self.end.count
        guard bytes.count <= Self.maxBytes, bytes.starts(with: Self.start),
            bytes.suffix(tail).starts(with: Self.hashMember), bytes.suffix(Self.end.count).elementsEqual(Self.end)
        else { return nil }
        hash = Array(bytes.suffix(Self.hashBytes + Self.end.count).dropLast(Self.end.count))
        let covered = bytes.dropLast(tail)
        isIntact = AuditChain.hash(of: Array(covered)) == hash
        let link = Self.previousMember.count + Self.hashBytes + 1
        guard covered.suffix(link).starts(with: Self.previousMember), covered.last == UInt8(ascii: "\"") else {
            return nil
        }
        previous = Array(covered.suffix(Self.hashBytes + 1).dropLast())
        let head = covered.dropLast(link)
        let digits = head.suffix(while: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        guard head.dropLast(digits.count).suffix(Self.sequenceMember.count).elementsEqual(Self.sequenceMember),
            digits.first != UInt8(ascii: "0"), let sequence = Int64(String(decoding: digits, as: UTF8.self)),
            sequence < Self.maxSequence
        else { return nil }
        self.sequence = sequence
        let stamp = bytes.dropFirst(Self.start.count).prefix(Self.timeBytes)
        guard stamp.allSatisfy({ (UInt8(ascii: "-")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
        time = String(decoding: stamp, as: UTF8.self)
        note = AuditNote(parsing: bytes)
        counted = Self.count(in: bytes)
    }
}

extension ArraySlice<UInt8> {
    /// The longest suffix whose bytes all pass.
    fileprivate func suffix(while passes: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !passes($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}

extension AuditLine {
    /// How many requests a line records.
    package static func requests(in line: [UInt8]) -> Int64 { max(1, count(in: line)) }

    /// How many refusals a line counts; 0 for a record of one request.
    package static func count(in line: [UInt8]) -> Int64 {
        let rest = line.dropFirst(timeEnd)
        guard rest.starts(with: outcomeMember) else { return 0 }
        let word = rest.dropFirst(outcomeMember.count).prefix { $0 != UInt8(ascii: "\"") }
        let member = line[word.endIndex...]
        guard member.starts(with: countMember) else { return 0 }
        let digits = member.dropFirst(countMember.count).prefix { $0 != UInt8(ascii: ",") }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static let outcomeMember = Array(#"","outcome":""#.utf8)
    private static let countMember = Array(#"","count":"#.utf8)
}
