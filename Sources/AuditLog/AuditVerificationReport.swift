import StrictJSON

extension AuditVerification {
    /// For people, on a few lines. Control characters in file names are escaped.
    package var text: String {
        var text = "\(counted(files, "file")), \(counted(lines, "line"))"
        if let firstTime, let lastTime { text += ", \(firstTime) to \(lastTime)" }
        if let earlier {
            text += "\nafter: seq \(earlier.sequence), hash \(earlier.hashText), of an earlier file that was not given"
        }
        for beginning in beginnings { text += "\n\(Self.text(beginning))" }
        if beginningCount > beginnings.count {
            text += "\nnew chains: \(beginningCount - beginnings.count) more"
        }
        if let last { text += "\nlast: seq \(last.sequence), hash \(last.hashText)" }
        if tornPlaces > 0 { text += "\nincomplete lines after a crash or a failed write: \(tornPlaces)" }
        if lost > 0 { text += "\nrequests without a record, and so without a token: \(lost)" }
        if counted > 0 { text += "\nrefusals without a line of their own: \(counted)" }
        if foundCheckpoints + earlierCheckpoints > 0 {
            text += "\ncheckpoints: \(foundCheckpoints) found"
            if earlierCheckpoints > 0 { text += ", \(earlierCheckpoints) of lines in files that were not given" }
            if linesAfterCheckpoint > 0 {
                text += "\nlines after the last checkpoint, which could be forged: \(linesAfterCheckpoint)"
            }
        }
        guard let fault else { return text + "\nunbroken" }
        return text + "\nbroken: \(fault.kind.rawValue): \(Self.text(fault.place)): \(fault.sentence)"
    }

    /// For programs: one object on one line, always with the same members.
    package var json: String {
        JSONText.object { json in
            json.member("unbroken", fault == nil)
            json.member("files", Int64(files))
            json.member("lines", Int64(lines))
            json.member("first_time", optional: firstTime)
            json.member("last_time", optional: lastTime)
            json.member("earlier_seq", optional: earlier?.sequence)
            json.member("earlier_hash", optional: earlier?.hashText)
            json.member("last_seq", optional: last?.sequence)
            json.member("last_hash", optional: last?.hashText)
            json.member("chains_begun", Int64(beginningCount))
            json.member("beginnings", beginnings) { json, beginning in
                json.member("file", beginning.place.file)
                json.member("line", Int64(beginning.place.line))
                json.member("time", beginning.time)
                json.member("previous_seq", optional: beginning.previous?.sequence)
                json.member("previous_hash", optional: beginning.previous?.hashText)
            }
            json.member("torn_places", Int64(tornPlaces))
            json.member("lost_records", lost)
            json.member("counted_refusals", counted)
            json.member("checkpoints_found", Int64(foundCheckpoints))
            json.member("checkpoints_earlier", Int64(earlierCheckpoints))
            json.member("lines_after_checkpoint", Int64(linesAfterCheckpoint))
            guard let fault else { return json.member("fault", JSONValue.null) }
            json.member("fault") { json in
                json.member("kind", fault.kind.rawValue)
                json.member("file", fault.place.file)
                json.member("line", Int64(fault.place.line))
                json.member("sentence", fault.sentence)
            }
        }
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func text(_ beginning: AuditBeginning) -> String {
        let place = "\(text(beginning.place)) at \(beginning.time)"
        guard let previous = beginning.previous else { return "first chain: \(place)" }
        return "new chain: \(place), after seq \(previous.sequence), hash \(previous.hashText)"
    }

    private static func text(_ place: AuditFault.Place) -> String {
        "\(JSONEscaping.legible(place.file)):\(place.line)"
    }
}
