import StrictJSON
import SystemFiles

/// A line about the audit log itself: that it begins, or continues after a stop or a failure.
package struct AuditNote: Equatable, Sendable {
    package enum Event: String, Sendable {
        /// The first line of a file. It continues the previous file's chain if the same process wrote that.
        case opened
        /// The first line of a chain on standard output or to a log daemon. Each process begins one, because it cannot
        /// read what was written before.
        case begun
        /// The same chain continues: the program was started again, or could not write for a while.
        case resumed
    }

    var event: Event
    /// Bytes of an incomplete line that a crash left and a start removed.
    var cut: Int64 = 0
    /// Bytes of incomplete lines before this one, which could not be removed.
    var torn: Int64 = 0
    /// Requests whose records could not be written; they got no token.
    var lost: Int64 = 0

    /// The note as the start of a line, to which the chain adds its members.
    func lineStart(time: String = CivilTime.rfc3339(SystemClock.now())) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", time)
        json.member("event", event.rawValue)
        for (name, number) in [("cut", cut), ("torn", torn), ("lost", lost)] where number > 0 {
            json.member(name, number)
        }
        return json.bytes
    }
}

extension AuditNote {
    private static let maxBytes = 512
    private static let member = Array(#"","event":""#.utf8)

    /// The note in a line; nil if the line is a record of a request.
    init?(parsing line: [UInt8]) {
        // Records are many and notes are few: only what looks like a note is read as JSON.
        guard line.count <= Self.maxBytes, line.dropFirst(AuditLine.timeEnd).starts(with: Self.member),
            case .object(let members)? = try? JSONValue(parsing: line),
            case .string(let name)? = members["event"], let event = Event(rawValue: name)
        else { return nil }
        self.event = event
        if case .integer(let bytes)? = members["cut"] { cut = bytes }
        if case .integer(let bytes)? = members["torn"] { torn = bytes }
        if case .integer(let count)? = members["lost"] { lost = count }
    }
}
