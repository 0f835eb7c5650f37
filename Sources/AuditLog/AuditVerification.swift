/// What the check of an audit trail found.
package struct AuditVerification: Equatable {
    /// Chains whose beginnings are told.
    static let maxBeginnings = 100

    var files = 0
    /// Lines of the trail, those of its own included.
    var lines = 0
    var firstTime: String?
    /// The line before the first one here, which is in a file that was not given, and its hash as the first one names it;
    /// nil if the first one begins a chain, or there is none.
    private(set) var former: AuditChain?
    var lastTime: String?
    /// Chains that begin within the trail, since each process that writes where it cannot read begins one; the first so
    /// many.
    private(set) var beginnings: [AuditBeginning] = []
    /// How many there are of them.
    private(set) var beginningCount = 0
    /// The last line's place in its chain; nil if there is no line.
    var last: AuditChain?
    /// Places where a crash or a failure had left a line without end, which was cut off or closed off.
    var tornPlaces = 0
    /// Requests whose records could not be written, by what the trail says of itself.
    var lost: Int64 = 0
    /// Refusals that are told by a number alone.
    var counted: Int64 = 0
    /// The first thing wrong; nil if there is none.
    package var fault: AuditFault?

    /// Takes a chain into account that begins here.
    mutating func count(_ beginning: AuditBeginning) {
        beginningCount += 1
        if beginnings.count < Self.maxBeginnings { beginnings.append(beginning) }
    }

    /// Takes one more line into account.
    mutating func count(_ line: AuditLine) {
        lines += 1
        if firstTime == nil {
            firstTime = line.time
            former = line.sequence > 1 ? AuditChain(sequence: line.sequence - 1, hash: line.previous) : nil
        }
        lastTime = line.time
        // Whoever changed the trail may have put any number there.
        counted &+= line.counted
        guard let note = line.note else { return }
        if note.cut > 0 || note.torn > 0 { tornPlaces += 1 }
        lost &+= note.lost
    }
}

/// Where a chain begins that says of itself that it is one.
struct AuditBeginning: Equatable {
    let place: AuditFault.Place
    let time: String
    /// The end of the chain before it; nil for the first.
    let former: AuditChain?
}
