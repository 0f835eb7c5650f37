import StrictJSON
import SystemFiles

/// When the end of a chain is noted in another place than the chain's own: at the first line, after a thousand more, and
/// before a line is ten seconds old. Pure: times are nanoseconds and are passed in.
struct CheckpointSchedule: Sendable {
    /// The most lines from one checkpoint to the next.
    static let lines: Int64 = 1000
    /// The nanoseconds after which a line has a checkpoint; the rest of ten seconds is for delays.
    static let period: UInt64 = 5_000_000_000

    private var noted: Int64?
    private var isLookPlanned = false

    /// What to do when lines up to this number are written: note that one now, or `look` at a time.
    mutating func written(_ sequence: Int64, at now: UInt64) -> (notes: Bool, looksAt: UInt64?) {
        guard let noted, sequence - noted < Self.lines else {
            noted = sequence
            return (true, nil)
        }
        guard sequence > noted, !isLookPlanned else { return (false, nil) }
        isLookPlanned = true
        return (false, now &+ Self.period)
    }

    /// Whether the last line, of this number, is to be noted now.
    mutating func look(at sequence: Int64) -> Bool {
        isLookPlanned = false
        defer { noted = sequence }
        return sequence != noted
    }
}

extension AuditChain {
    /// A checkpoint as one line: a JSON object, and a line feed.
    package func checkpoint(time: String = CivilTime.rfc3339(SystemClock.now())) -> [UInt8] {
        JSONWriter.object(escaping: .logLine) { json in
            json.member("time", time)
            json.member("hash", hashText)
            json.member("seq", sequence)
        } + [UInt8(ascii: "\n")]
    }

    /// The checkpoint in a line of `checkpoint` or of the daemon's log, in JSON or text, which may also be the end of a run or
    /// a file; nil if there is none. In values of clients quotation marks are escaped, and a text with a space or an equals
    /// sign is in such marks.
    init?(inLine line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        let beginning = text[..<(text.utf8.firstIndex(of: UInt8(ascii: "\"")) ?? text.endIndex)]
        let starts =
            [" hash=", " last_hash="].compactMap { beginning.firstRange(of: $0) }
            + [#""hash":""#, #""last_hash":""#].compactMap { text.firstRange(of: $0) }
        guard let start = starts.first else { return nil }
        var rest = text[start.upperBound...]
        let hash = Array(rest.utf8.prefix(64))
        guard hash.count == 64, hash.allSatisfy({ HexadecimalDigit.value(of: $0) != nil }) else { return nil }
        rest = rest.dropFirst(64)
        guard let name = [" seq=", #"","seq":""#, #"","seq":"#].first(where: { rest.hasPrefix($0) }),
            let sequence = Int64(rest.dropFirst(name.count).prefix { ("0"..."9").contains($0) }), sequence > 0
        else { return nil }
        // A line that a full disk has cut off may lack digits.
        let next = rest.dropFirst(name.count).first { !("0"..."9").contains($0) }
        guard name == " seq=" ? next == nil || next == " " : next.map("\",}".contains) == true else { return nil }
        self.init(sequence: sequence, hash: hash)
    }
}

/// The checkpoints in the lines of a log or of a file, which may have other lines too. Bytes are passed in.
package struct AuditCheckpoints: Sendable {
    /// Those that were found.
    package private(set) var chains: [AuditChain] = []
    private var lines = LineSplitter(maxBytes: AuditLine.maxBytes)

    /// Without any.
    package init() {}

    /// Reads the next bytes.
    package mutating func read(_ bytes: [UInt8]) {
        var bytes = bytes[...]
        while let line = lines.next(&bytes) { add(line) }
    }

    /// Ends a file, whose last line may have no line feed.
    package mutating func endFile() { add(lines.takeRest()) }

    private mutating func add(_ line: [UInt8]) {
        if let chain = AuditChain(inLine: line) { chains.append(chain) }
    }
}

/// Splits bytes that come in parts into lines; it keeps no more of a line than shows that it is too long.
struct LineSplitter: Sendable {
    let maxBytes: Int
    /// The beginning of a line whose end has not come.
    private(set) var rest: [UInt8] = []

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Takes the next line, without its line feed; nil if its end has not come, and all bytes are taken.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            keep(bytes)
            bytes = []
            return nil
        }
        keep(bytes[..<end])
        bytes = bytes[(end + 1)...]
        return takeRest()
    }

    /// Takes what has come of the last line.
    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) { rest += bytes.prefix(max(0, maxBytes + 1 - rest.count)) }
}
