/// What the check of an audit log found.
package struct AuditVerification: Equatable {
    /// Chains whose beginnings are listed.
    static let maxBeginnings = 100

    var files = 0
    /// Lines, those about the audit log itself included.
    var lines = 0
    var firstTime: String?
    /// The chain before the first line here, if that continues a file that was not given.
    private(set) var earlier: AuditChain?
    var lastTime: String?
    /// The first chains that begin here. Each process that writes to standard output or a log daemon begins one.
    private(set) var beginnings: [AuditBeginning] = []
    /// How many chains begin here.
    private(set) var beginningCount = 0
    /// The chain after the last line; nil without any.
    var last: AuditChain?
    /// Places where a crash or a failure had left an incomplete line, which was removed or closed.
    var tornPlaces = 0
    /// Requests whose records could not be written, as the audit log says.
    var lost: Int64 = 0
    /// Refusals without a line of their own.
    var counted: Int64 = 0
    /// How many checkpoints have their line here.
    var foundCheckpoints = 0
    /// How many are of lines before the first one here.
    var earlierCheckpoints = 0
    /// How many lines come after the last one with a checkpoint. Anyone who can write the files could have made them up.
    var linesAfterCheckpoint = 0
    /// The first thing wrong; nil if there is none.
    package var fault: AuditFault?

    /// Adds a chain that begins here.
    mutating func count(_ beginning: AuditBeginning) {
        beginningCount += 1
        if beginnings.count < Self.maxBeginnings { beginnings.append(beginning) }
    }

    /// Adds one more line.
    mutating func count(_ line: AuditLine) {
        lines += 1
        if firstTime == nil {
            firstTime = line.time
            earlier = line.sequence > 1 ? AuditChain(sequence: line.sequence - 1, hash: line.previous) : nil
        }
        lastTime = line.time
        // In a changed audit log this may be any number, so the sum wraps around.
        counted &+= line.counted
        guard let note = line.note else { return }
        if note.cut > 0 || note.torn > 0 { tornPlaces += 1 }
        lost &+= note.lost
    }
}

/// A line with which a chain begins.
struct AuditBeginning: Equatable {
    let place: AuditFault.Place
    let time: String
    /// The end of the chain before it; nil for the first.
    let previous: AuditChain?
}
