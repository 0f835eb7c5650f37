/// What is wrong with an audit trail, and where.
package struct AuditFault: Equatable {
    package enum Kind: String {
        case removed
        case changed
        case reordered
        case torn
    }

    /// A line of a file, counted from 1.
    package struct Place: Equatable {
        package let file: String
        package var line: Int

        /// A value of these parts.
        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    private(set) var kind: Kind
    let place: Place
    private(set) var sentence: String
    /// The number that the line here should have had.
    fileprivate let missing: Int64?

    init(kind: Kind, place: Place, sentence: String, missing: Int64? = nil) {
        (self.kind, self.place, self.sentence, self.missing) = (kind, place, sentence, missing)
    }

    /// Learns the number of a line that stands further down: what is missed here may only have been moved.
    mutating func note(_ sequence: Int64) {
        guard kind == .removed, sequence == missing else { return }
        (kind, sentence) = (.reordered, Kind.reordered.sentence)
    }

    static let mismatch = "this line is not what the next one was written after; one of both was changed"
    static let headless = "the file does not begin with its opening line; lines before this one are missing"
    static let newChain =
        "the file does not continue the one before; expected the files of one trail, the oldest first, each once"
    static let blank = "this line is empty, and no trail has such lines"
    static let foreign =
        "no line here is of an audit trail; expected an audit file, not compressed and with its line ends"
    static let empty = "the file has no line; expected at least its opening line"
    static let unexpectedLast =
        "the last line does not have the expected hash; lines after it are missing or were added, or it was changed"

    static func missingEnd(_ hash: String) -> String {
        "no chain ends with the expected hash \(hash); lines at its end are missing, or one was changed"
    }
}

extension AuditFault.Kind {
    /// What it means where nothing more is known.
    package var sentence: String {
        switch self {
        case .removed: "lines before this one are missing"
        case .changed: "this line is not as it was written"
        case .reordered: "this line stands out of order, or a second time"
        case .torn: "this line has no end: a crash leaves that, and the next start cuts it off; or it was changed"
        }
    }
}
