import SystemFiles
import StrictJSON

/// What a trail says of itself between records: that it begins, or goes on after a stop or a failure.
package struct AuditNote: Equatable, Sendable {
    package enum Event: String, Sendable {
        /// The first line of a file. It continues the chain of the file before, if the same process wrote that.
        case opened
        /// The first line of a chain that goes where nobody can read what was written before, to standard output or to a
        /// log daemon: each process begins one.
        case begun
        /// The trail goes on where it stood: the program was started again, or could not write for a while.
        case resumed
    }

    var event: Event
    /// Bytes of a line without end that were cut off: what a crash left.
    var cut: Int64 = 0
    /// Bytes of lines without end that stand before this line, because nothing can cut them off there.
    var torn: Int64 = 0
    /// Requests whose records could not be written; whoever asked for a token by one got none.
    var lost: Int64 = 0

    /// The note as the beginning of a line.
    func opening(time: String = CivilTime.rfc3339(SystemClock.now())) -> [UInt8] {
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

    /// What a line says of the trail; nil if it is a record of a request.
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
