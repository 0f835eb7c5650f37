/// One line of an audit trail as it is read back: the places where every line is the same, byte for byte.
package struct AuditLine {
    /// No line is longer: a request's head bounds what a record can hold.
    package static let maxBytes = 65_536
    /// The most bytes of a line that its number and hash are still to be added to.
    static let maxOpeningBytes = maxBytes - 256
    package static let beginning = Array(#"{"time":""#.utf8)
    static let sequenceMember = Array(#","seq":"#.utf8)
    static let previousMember = Array(#","prev":""#.utf8)
    static let hashMember = Array(#","hash":""#.utf8)
    package static let end = Array(#""}"#.utf8)
    /// Beyond any number that a trail can come to.
    private static let maxSequence: Int64 = 1 << 53
    private static let timeBytes = 24
    /// Where the time ends in every line.
    package static let timeEnd = beginning.count + timeBytes
    private static let hashBytes = 64

    /// RFC 3339, as it stands there.
    package let time: String
    /// The line's number in the chain.
    package let sequence: Int64
    /// The hash it names as that of the line before.
    package let previous: [UInt8]
    /// The hash it names as its own.
    package let hash: [UInt8]
    /// Whether that is its own.
    let isIntact: Bool
    /// What it tells of the trail itself; nil for a record of a request.
    package let note: AuditNote?
    /// How many refusals it stands for that have no line of their own.
    package let counted: Int64

    /// Nil if the bytes, without a line end, are not a whole line.
    package init?(_ bytes: [UInt8]) {
        let tail = Self.hashMember.count + Self.hashBytes + Self.end.count
        guard bytes.count <= Self.maxBytes, bytes.starts(with: Self.beginning),
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
        let stamp = bytes.dropFirst(Self.beginning.count).prefix(Self.timeBytes)
        guard stamp.allSatisfy({ (UInt8(ascii: "-")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
        time = String(decoding: stamp, as: UTF8.self)
        note = AuditNote(parsing: bytes)
        counted = Self.count(in: bytes)
    }
}

extension ArraySlice<UInt8> {
    /// The longest end of which every byte passes.
    fileprivate func suffix(while passes: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !passes($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}

extension AuditLine {
    /// Of how many requests a line is the record.
    package static func requests(in line: [UInt8]) -> Int64 { max(1, count(in: line)) }

    /// How many refusals a line stands for that is a record of a sum; 0 for any other line.
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
