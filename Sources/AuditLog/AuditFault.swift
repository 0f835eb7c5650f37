/// What is wrong with an audit log, and where.
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

        /// A line of a file.
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

    /// Learns the number of a later line: a line that seemed to be removed may have been moved there.
    mutating func learn(ofLine sequence: Int64) {
        guard kind == .removed, sequence == missing else { return }
        (kind, sentence) = (.reordered, Kind.reordered.sentence)
    }

    static let mismatch = "the next line names another hash than this line's; one of the two was changed"
    static let withoutOpening = "the file does not begin with its opening line; lines before this one are missing"
    static let notContinued =
        "the file does not continue the previous one; expected the files of one audit log, the oldest first, each once"
    static let blank = "this line is empty; an audit log has no empty lines"
    static let notAuditLog = "this is not an audit log; expected an audit file, not compressed and with LF line ends"
    static let empty = "the file is empty; expected at least its opening line"
    static let uncoveredChain =
        "no checkpoint is of a line of this chain; expected one, which the daemon notes at its first line and within 10 s, or "
        + "earlier files too"
    static let unexpectedLast =
        "the last line has none of the expected hashes; lines were added after the expected end, or its hash was not given"

    /// No line has this number and hash.
    static func missingCheckpoint(_ chain: AuditChain) -> String {
        "no line has the number \(chain.sequence) and the hash \(chain.hashText) of a checkpoint; lines were removed from "
            + "the end or changed, or a file was not given"
    }

    /// Nothing ends with these hashes, of which there is at least one.
    static func missingEnds(_ hashes: [String]) -> String {
        let noun = hashes.count == 1 ? "hash" : "hashes"
        return "no file and no run of the daemon ends with the expected \(noun) \(hashes.joined(separator: ", ")); "
            + "lines were removed, added or changed"
    }
}

extension AuditFault.Kind {
    /// What it means if nothing more is known.
    package var sentence: String {
        switch self {
        case .removed: "lines before this one are missing"
        case .changed: "this line is not as it was written"
        case .reordered: "this line is out of order or repeated"
        case .torn: "this line is incomplete; a crash left it (the next start removes it), or it was changed"
        }
    }
}
