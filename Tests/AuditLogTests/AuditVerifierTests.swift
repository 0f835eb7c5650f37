import TestSupport
import Testing

@testable import AuditLog

@Suite struct AuditVerifierTests {
    /// The lines that an audit log wrote, with line ends; the first is the opening line.
    private func logLines(_ records: Int, file: String = "audit.log") throws -> [[UInt8]] {
        let folder = try Scratch()
        #expect(try AuditRecorder(folder.path(file)).appendAll(0..<records).allSatisfy { $0 })
        return try folder.lines(file).map { $0 + [UInt8(ascii: "\n")] }
    }

    private func verdict(_ lines: [[UInt8]]) -> String { verified([Array(lines.joined())]).verdict }

    @Test func `an unchanged log is unbroken whatever the chunk size`() throws {
        let bytes = Array(try logLines(5).joined())
        let result = verified([bytes])
        #expect(result.verdict == "unbroken")
        #expect(result.lines == 6)
        #expect(result.last?.sequence == 6)
        for chunk in 1...400 { #expect(verified([bytes], chunk: chunk) == result) }
    }

    @Test func `a changed byte is detected anywhere, including in the last line`() throws {
        let bytes = Array(try logLines(3).joined())
        for place in bytes.indices {
            for change in [bytes[place] ^ 1, bytes[place] ^ 0x80, UInt8(ascii: "\n"), UInt8(ascii: "0"), 0]
            where change != bytes[place] {
                var changed = bytes
                changed[place] = change
                #expect(verified([changed]).fault != nil, "byte \(place) is \(change)")
            }
        }
    }

    @Test func `a first line must follow the beginning of a chain`() throws {
        let opening = AuditNote(event: .opened).lineStart()
        for digit in [UInt8(ascii: "0"), UInt8(ascii: "1")] {
            let chain = AuditChain(sequence: 0, hash: [UInt8](repeating: digit, count: 64))
            let isBeginning = digit == UInt8(ascii: "0")
            #expect((verified([chain.next(opening).line + [UInt8(ascii: "\n")]]).fault == nil) == isBeginning)
        }
    }

    @Test func `a missing or extra byte is detected`() throws {
        let bytes = Array(try logLines(2).joined())
        for place in bytes.indices {
            var shorter = bytes
            shorter.remove(at: place)
            #expect(verified([shorter]).fault != nil)
            for byte in [UInt8(ascii: "\n"), UInt8(ascii: "x")] {
                var longer = bytes
                longer.insert(byte, at: place)
                #expect(verified([longer]).fault != nil)
            }
        }
    }

    @Test func `removed lines are found, at the end only by the expected hash`() throws {
        let lines = try logLines(6)
        let hash = verified([Array(lines.joined())]).lastHash
        for index in lines.indices.dropLast() {
            var fewer = lines
            fewer.remove(at: index)
            #expect(verdict(fewer) == "removed file 1:\(index + 1)")
        }
        for count in 1..<lines.count {
            let fewer = Array(lines.prefix(count).joined())
            #expect(verified([fewer]).verdict == "unbroken")
            #expect(verified([fewer], expected: [hash]).verdict == "removed file 1:\(count)")
        }
        #expect(verified([[]]).verdict == "removed file 1:0")
    }

    @Test func `expected hashes may be those of files, chains and runs`() throws {
        func part(_ event: AuditNote.Event, _ numbers: ClosedRange<Int>, after chain: AuditChain) -> AuditBatch {
            var batch = AuditBatch(after: chain, closesLine: false)
            batch.append(AuditNote(event: event).lineStart())
            for number in numbers { batch.append(auditRecord(number)) }
            return batch
        }
        let begun = part(.begun, 1...2, after: .beginning)
        let resumed = part(.resumed, 3...4, after: begun.chain)
        let opened = part(.opened, 5...6, after: resumed.chain)
        let again = part(.begun, 7...8, after: .beginning)
        let joined = begun.bytes + resumed.bytes + opened.bytes + again.bytes
        let ends = [begun, resumed, opened, again].map(\.chain.hashText)
        let middle = try #require(AuditLine(Array(resumed.bytes[resumed.lines[1]])))
        func sentence(_ files: [[UInt8]], _ expected: [String]) -> String? {
            verified(files, expected: expected).fault?.sentence
        }
        #expect(sentence([joined], ends) == nil)
        #expect(sentence([joined], [ends[3]]) == nil)
        #expect(sentence([joined], Array(ends.prefix(3))) == AuditFault.unexpectedLast)
        // A hash in the middle of a run is found only if a file ends there.
        let noted = [AuditChain(sequence: middle.sequence, hash: middle.hash).hashText, ends[3]]
        #expect(sentence([joined], noted) == AuditFault.missingEnds([noted[0]]))
        let index = begun.bytes.count + resumed.lines[1].upperBound + 1
        #expect(sentence([Array(joined[..<index]), Array(joined[index...])], noted) == nil)
    }

    @Test func `swapped, moved or repeated lines are detected`() throws {
        let lines = try logLines(6)
        for index in 1..<lines.count - 1 {
            var swapped = lines
            swapped.swapAt(index, index + 1)
            #expect(verdict(swapped) == "reordered file 1:\(index + 1)")
            var moved = lines
            moved.append(moved.remove(at: index))
            #expect(verdict(moved) == "reordered file 1:\(index + 1)")
        }
        for index in lines.indices {
            var doubled = lines
            doubled.insert(lines[index], at: index)
            #expect(verdict(doubled) == (index == 0 ? "removed" : "reordered") + " file 1:\(index + 2)")
        }
    }

    @Test func `lines or files from another log are detected`() throws {
        let lines = try logLines(4)
        let other = try logLines(4)
        var mixed = lines
        mixed[2] = other[2]
        #expect(verdict(mixed).hasPrefix("changed"))
        let (one, two) = (Array(lines.joined()), Array(other.joined()))
        let result = verified([one, two])
        #expect(result.verdict == "removed file 2:1")
        #expect(
            result.fault?.sentence == "the file does not continue the previous one; expected the files of one audit "
                + "log, the oldest first, each once")
        #expect(verdict(Array(lines.dropFirst())) == "removed file 1:1")
    }

    @Test func `an unterminated line is accepted only if its length is recorded`() throws {
        let sink = TestSink { _ in }
        _ = AuditRecorder(AuditWriter(sink), patience: .hour)
        for torn in 0...2 {
            var batch = AuditBatch(after: .beginning, closesLine: false)
            batch.append(AuditNote(event: .opened).lineStart())
            var text = batch.bytes + Array("{\"time\":\"20\n".utf8)
            var next = AuditBatch(after: batch.chain, closesLine: false)
            next.append(AuditNote(event: .resumed, torn: Int64(10 + torn)).lineStart())
            text += next.bytes
            #expect(verified([text]).verdict == (torn == 1 ? "unbroken" : "changed file 1:2"))
        }
    }

    @Test func `new chains are counted, and the first 100 are listed`() throws {
        func begun(after chain: AuditChain) -> AuditBatch {
            var batch = AuditBatch(after: chain, closesLine: false)
            batch.append(AuditNote(event: .begun).lineStart())
            return batch
        }
        let one = begun(after: .beginning)
        let many = verified([Array(repeatElement(one.bytes, count: 150).joined())])
        #expect(many.verdict == "unbroken")
        #expect((many.beginnings.count, many.beginningCount) == (100, 150))
        #expect(many.beginnings.last?.place.line == 100)
        #expect(many.text.contains("\nnew chains: 50 more\n"))
        #expect(verified([one.bytes + begun(after: one.chain).bytes]).verdict == "changed file 1:2")
        #expect(verified([one.bytes, one.bytes]).beginnings.map(\.place.file) == ["file 1", "file 2"])
    }

    @Test func `a log split anywhere is unbroken, but broken without its first part`() throws {
        let lines = try logLines(6)
        for index in 1..<lines.count {
            let parts = [Array(lines[..<index].joined()), Array(lines[index...].joined())]
            #expect(verified(parts).verdict == "unbroken")
            #expect(verified([parts[1]]).verdict == "removed file 1:1")
            #expect(verified(parts.reversed()).verdict != "unbroken")
        }
    }

    @Test func `an overlong line is reported as changed, or torn at the end`() throws {
        let lines = try logLines(1)
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20) + [UInt8(ascii: "\n")]
        #expect(verdict([lines[0], long, lines[1]]) == "changed file 1:2")
        #expect(verdict(lines + [long]) == "torn file 1:3")
    }

    @Test func `huge counts do not overflow, and huge sequence numbers are rejected`() throws {
        let huge = Int64.max
        var batch = AuditBatch(after: .beginning, closesLine: false)
        batch.append(AuditNote(event: .opened, cut: huge, torn: huge, lost: huge).lineStart())
        batch.append(AuditNote(event: .resumed, cut: huge, torn: huge, lost: huge).lineStart())
        #expect(verified([batch.bytes]).verdict == "unbroken")
        for sequence in [huge, 1 << 53] {
            let chain = AuditChain(sequence: sequence - 1, hash: AuditChain.beginning.hash)
            #expect(AuditLine(chain.next(AuditNote(event: .opened).lineStart()).line) == nil)
        }
    }

    @Test func `the report locates the fault and escapes control characters in file names`() throws {
        let lines = try logLines(3)
        var verifier = AuditVerifier()
        verifier.begin("a\u{1B}[2J")
        verifier.read(Array([lines[0], lines[2]].joined()))
        let result = verifier.finish()
        #expect(result.text.hasSuffix("broken: removed: a\\u001b[2J:2: lines before this one are missing"))
        let json = try object(result.json.utf8)
        #expect(json["unbroken"] as? Bool == false)
        #expect(json["lines"] as? Int == 2)
        #expect((json["fault"] as? [String: Any])?["line"] as? Int == 2)
        #expect((json["fault"] as? [String: Any])?["kind"] as? String == "removed")
    }
}
