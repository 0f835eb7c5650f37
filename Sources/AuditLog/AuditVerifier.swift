/// Checks an audit trail line by line: each has its own hash, the number that is next and the hash of the line before it.
/// Pure and of bounded memory: bytes are handed in, file after file, the oldest first.
package struct AuditVerifier {
    package private(set) var result = AuditVerification()
    /// The hashes with which chains must end, of which the last one's must be one.
    private let expected: Set<String>
    /// Those of them that were not seen so far.
    private var unseen: Set<String>
    private var chain: AuditChain?
    private var place = AuditFault.Place(file: "", line: 0)
    private var lastPlace: AuditFault.Place?
    /// Lines that are none, since the last that is one: how many bytes, and where they begin.
    private var torn: (bytes: Int64, place: AuditFault.Place)?
    private var rest: [UInt8] = []

    /// A check that knows the hashes with which chains must end, as far as they were noted.
    package init(expecting expected: Set<String> = []) {
        (self.expected, unseen) = (expected, expected)
    }

    /// Goes on with the next file.
    package mutating func begin(_ file: String) {
        endFile()
        place = AuditFault.Place(file: file, line: 0)
        result.files += 1
    }

    /// The next bytes of the file.
    package mutating func read(_ bytes: [UInt8]) {
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[..<end])
            check(rest)
            rest.removeAll(keepingCapacity: true)
            bytes = bytes[(end + 1)...]
        }
        keep(bytes)
    }

    /// What was found, once there is nothing more.
    package mutating func finish() -> AuditVerification {
        endFile()
        if let torn {
            blame(.torn, torn.place, sentence: result.lines == 0 ? AuditFault.foreign : nil)
        }
        result.last = chain
        if let chain { unseen.remove(chain.hashText) }
        if let chain, !expected.isEmpty, !expected.contains(chain.hashText) {
            blame(.removed, lastPlace ?? place, sentence: AuditFault.unexpectedLast)
        }
        if let hash = unseen.min() { blame(.removed, lastPlace ?? place, sentence: AuditFault.missingEnd(hash)) }
        return result
    }

    /// A line that is longer than any of ours need not be kept whole to be found wrong.
    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        rest += bytes.prefix(max(0, AuditLine.maxBytes + 1 - rest.count))
    }

    private mutating func endFile() {
        if place.line == 0, rest.isEmpty, result.files > 0 { blame(.removed, place, sentence: AuditFault.empty) }
        guard !rest.isEmpty else { return }
        place.line += 1
        addTorn()
        rest.removeAll()
    }

    private mutating func addTorn() {
        torn = ((torn?.bytes ?? 0) + Int64(rest.count), torn?.place ?? place)
    }

    private mutating func check(_ bytes: [UInt8]) {
        place.line += 1
        guard !bytes.isEmpty else { return blame(.changed, place, sentence: AuditFault.blank) }
        guard let line = AuditLine(bytes) else { return addTorn() }
        if result.fault == nil { checkChain(line) } else { result.fault?.note(line.sequence) }
        result.count(line)
        chain = AuditChain(sequence: line.sequence, hash: line.hash)
        (lastPlace, torn) = (place, nil)
    }

    private mutating func checkChain(_ line: AuditLine) {
        if let torn, torn.bytes != line.note?.torn { return blame(.changed, torn.place) }
        guard line.isIntact else { return blame(.changed, place) }
        if line.note?.event == .begun { return beginChain(line) }
        // Files may have been joined into one, and a collector may go on in another file wherever it likes.
        let opensFile = place.line == 1 || line.note?.event == .opened
        guard let chain else {
            guard line.note?.event == .opened else { return blame(.removed, place, sentence: AuditFault.headless) }
            if line.sequence == 1, line.previous != AuditChain.beginning.hash { blame(.changed, place) }
            return
        }
        let follows = line.previous == chain.hash
        switch line.sequence - chain.sequence {
        case 1 where follows: return
        case 1: blame(.changed, lastPlace ?? place, sentence: AuditFault.mismatch)
        case _ where follows: blame(.changed, place)
        case 2...: blame(.removed, place, missing: chain.sequence + 1)
        default: opensFile ? blame(.removed, place, sentence: AuditFault.newChain) : blame(.reordered, place)
        }
    }

    private mutating func beginChain(_ line: AuditLine) {
        guard line.sequence == 1, line.previous == AuditChain.beginning.hash else { return blame(.changed, place) }
        if let chain { unseen.remove(chain.hashText) }
        result.count(AuditBeginning(place: place, time: line.time, former: chain))
    }

    /// Only the first thing wrong is told: all that follows it may be wrong for the same reason.
    private mutating func blame(
        _ kind: AuditFault.Kind, _ place: AuditFault.Place, sentence: String? = nil, missing: Int64? = nil
    ) {
        guard result.fault == nil else { return }
        result.fault = AuditFault(kind: kind, place: place, sentence: sentence ?? kind.sentence, missing: missing)
    }
}
