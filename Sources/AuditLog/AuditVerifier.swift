/// Checks an audit log line by line: each has its own hash, the next number and the previous line's hash. Pure and of
/// bounded memory: bytes are passed in, file after file, the oldest first.
package struct AuditVerifier {
    package private(set) var result = AuditVerification()
    /// The hashes that were noted when the daemon stopped or began a file. Each must be the last of a file, a chain or a
    /// run of the daemon; the last line must have one of them.
    private let expected: Set<String>
    private var missing: Set<String>
    private var chain: AuditChain?
    private var place = AuditFault.Place(file: "", line: 0)
    private var lastPlace: AuditFault.Place?
    /// Bytes after the last valid line that are not one, and where they begin.
    private var torn: (bytes: Int64, place: AuditFault.Place)?
    private var lines = LineSplitter(maxBytes: AuditLine.maxBytes)
    private let givesCheckpoints: Bool
    /// The hashes of checkpoints whose line has not come, with its number.
    private var unmet: [[UInt8]: Int64]
    /// Lines of this chain after the last one with a checkpoint, and whether one had.
    private var uncovered: (lines: Int, isPart: Bool) = (0, false)

    /// A check that knows the expected last hashes and the checkpoints, if any were noted.
    package init(expecting expected: Set<String> = [], checkpoints: [AuditChain] = []) {
        (self.expected, missing) = (expected, expected)
        unmet = Dictionary(checkpoints.map { ($0.hash, $0.sequence) }) { one, _ in one }
        result.foundCheckpoints = unmet.count
        givesCheckpoints = !checkpoints.isEmpty
    }

    /// Begins the next file.
    package mutating func begin(_ file: String) {
        endFile()
        place = AuditFault.Place(file: file, line: 0)
        result.files += 1
    }

    /// Reads the next bytes of the file.
    package mutating func read(_ bytes: [UInt8]) {
        var bytes = bytes[...]
        while let line = lines.next(&bytes) { check(line) }
    }

    /// Ends the last file and returns what was found.
    package mutating func finish() -> AuditVerification {
        endFile()
        if let torn {
            report(.torn, torn.place, sentence: result.lines == 0 ? AuditFault.notAuditLog : nil)
        }
        result.last = chain
        if !missing.isEmpty {
            report(.removed, lastPlace ?? place, sentence: AuditFault.missingEnds(missing.sorted()))
        }
        checkCheckpoints()
        if let chain, !expected.isEmpty, !expected.contains(chain.hashText) {
            report(.removed, lastPlace ?? place, sentence: AuditFault.unexpectedLast)
        }
        return result
    }

    /// Each checkpoint must be met, except those of lines before the first one here.
    private mutating func checkCheckpoints() {
        if let earlier = result.earlier, unmet[earlier.hash] == earlier.sequence { unmet[earlier.hash] = nil }
        // The numbers of another chain do not tell what was before this one.
        let start = result.beginningCount == 0 ? result.earlier?.sequence ?? 0 : 0
        let lost = unmet.filter { $0.value >= start }
        result.foundCheckpoints -= unmet.count
        result.earlierCheckpoints = unmet.count - lost.count
        if let first = lost.min(by: { $0.value < $1.value }) {
            let chain = AuditChain(sequence: first.value, hash: first.key)
            report(.removed, lastPlace ?? place, sentence: AuditFault.missingCheckpoint(chain))
        }
        endCoverage()
    }

    /// Each chain must have a checkpoint if there are any: one that was made up could begin at any number.
    private mutating func endCoverage() {
        if givesCheckpoints, uncovered.lines > 0, !uncovered.isPart {
            report(.removed, lastPlace ?? place, sentence: AuditFault.uncoveredChain)
        }
        result.linesAfterCheckpoint += uncovered.lines
        uncovered = (0, false)
    }

    private mutating func endFile() {
        let rest = lines.takeRest()
        if place.line == 0, rest.isEmpty, result.files > 0 { report(.removed, place, sentence: AuditFault.empty) }
        if !rest.isEmpty {
            place.line += 1
            addTorn(rest)
        }
        findEnd()
    }

    private mutating func addTorn(_ bytes: [UInt8]) {
        torn = ((torn?.bytes ?? 0) + Int64(bytes.count), torn?.place ?? place)
    }

    /// The chain so far is where a file or a run of the daemon ended.
    private mutating func findEnd() {
        if let chain { missing.remove(chain.hashText) }
    }

    private mutating func check(_ bytes: [UInt8]) {
        place.line += 1
        guard !bytes.isEmpty else { return report(.changed, place, sentence: AuditFault.blank) }
        guard let line = AuditLine(bytes) else { return addTorn(bytes) }
        if line.note != nil { findEnd() }
        if line.note?.event == .begun { endCoverage() }
        uncovered.lines += 1
        if unmet[line.hash] == line.sequence { (unmet[line.hash], uncovered) = (nil, (0, true)) }
        if result.fault == nil { checkChain(line) } else { result.fault?.learn(ofLine: line.sequence) }
        result.count(line)
        chain = AuditChain(sequence: line.sequence, hash: line.hash)
        (lastPlace, torn) = (place, nil)
    }

    private mutating func checkChain(_ line: AuditLine) {
        if let torn, torn.bytes != line.note?.torn { return report(.changed, torn.place) }
        guard line.isIntact else { return report(.changed, place) }
        if line.note?.event == .begun { return beginChain(line) }
        // Files may have been joined into one, and a collector may split them anywhere.
        let opensFile = place.line == 1 || line.note?.event == .opened
        guard let chain else {
            guard line.note?.event == .opened else {
                return report(.removed, place, sentence: AuditFault.withoutOpening)
            }
            if line.sequence == 1, line.previous != AuditChain.beginning.hash { report(.changed, place) }
            return
        }
        let follows = line.previous == chain.hash
        switch line.sequence - chain.sequence {
        case 1 where follows: return
        case 1: report(.changed, lastPlace ?? place, sentence: AuditFault.mismatch)
        case _ where follows: report(.changed, place)
        case 2...: report(.removed, place, missing: chain.sequence + 1)
        default: opensFile ? report(.removed, place, sentence: AuditFault.notContinued) : report(.reordered, place)
        }
    }

    private mutating func beginChain(_ line: AuditLine) {
        guard line.sequence == 1, line.previous == AuditChain.beginning.hash else { return report(.changed, place) }
        result.count(AuditBeginning(place: place, time: line.time, previous: chain))
    }

    /// Reports only the first fault: later ones may have the same cause.
    private mutating func report(
        _ kind: AuditFault.Kind, _ place: AuditFault.Place, sentence: String? = nil, missing: Int64? = nil
    ) {
        guard result.fault == nil else { return }
        result.fault = AuditFault(kind: kind, place: place, sentence: sentence ?? kind.sentence, missing: missing)
    }
}
