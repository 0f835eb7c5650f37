import TestSupport
import Foundation
import Testing

/// `token-provider audit verify`, the real binary, on an audit log that another program wrote by the documented rule.
@Suite(.blocking) struct AuditVerifyTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let script = """
            import hashlib, json, sys
            previous, number = "0" * 64, 0
            for name, first in (("audit.log.1", "opened"), ("audit.log", "opened")):
                with open(sys.argv[1] + "/" + name, "w") as file:
                    for index in range(50):
                        number += 1
                        line = {"time": "2027-01-15T08:00:%02d.125Z" % index}
                        line |= {"event": first} if index == 0 else {"outcome": "minted", "principal": "rüdiger"}
                        line |= {"seq": number, "prev": previous}
                        text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)[:-1]
                        previous = hashlib.sha256(text.encode()).hexdigest()
                        file.write(text + ',"hash":"' + previous + '"}\\n')
            open(sys.argv[1] + "/hash", "w").write(previous)
            """
        try Program.mustRun("python3", ["-c", script, scratch.folder.path])
    }

    private func verify(_ files: [String], _ flags: [String] = []) throws -> Outcome {
        try Program.run(Program.daemon, ["audit", "verify"] + flags + files.map(scratch.path))
    }

    private func lastHash(_ file: String) throws -> String {
        let line = try #require(scratch.text(file).split(separator: "\n").last)
        return String(try #require(line.firstMatch(of: /"hash":"([0-9a-f]{64})"/)).1)
    }

    @Test func `two files in order are unbroken and end with the written hash`() throws {
        let hash = try scratch.text("hash")
        let outcome = try verify(["audit.log.1", "audit.log"], ["--expect-last", hash])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                2 files, 100 lines, 2027-01-15T08:00:00.125Z to 2027-01-15T08:00:49.125Z
                last: seq 100, hash \(hash)
                unbroken

                """)
    }

    @Test func `joined files verify unless one is repeated or out of order`()
        throws
    {
        let (first, second) = (try scratch.text("audit.log.1"), try scratch.text("audit.log"))
        try scratch.write("joined", first + second)
        #expect(try verify(["joined"]).status == 0)
        for text in [second + first, first + first, first + second + second] {
            try scratch.write("joined", text)
            let outcome = try verify(["joined"])
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("the file does not continue the previous one"))
        }
    }

    @Test func `verifying only the newer file names the line before it`() throws {
        let hash = try lastHash("audit.log.1")
        let outcome = try verify(["audit.log"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\nafter: seq 50, hash \(hash), of an earlier file that was not given\n"))
        let json = try verify(["audit.log"], ["--json"]).json()
        #expect(json["earlier_seq"] as? Int == 50)
        #expect(json["earlier_hash"] as? String == hash)
        #expect(try verify(["audit.log.1"], ["--json"]).json()["earlier_seq"] is NSNull)
    }

    @Test func `files of another format and empty lines are reported`() throws {
        for text in [
            "\u{1F}\u{8B}compressed", "notes\non other things\n",
            try scratch.text("audit.log").replacing("\n", with: "\r\n"),
        ] {
            try scratch.write("other", text)
            let outcome = try verify(["other"])
            #expect(outcome.status == 1)
            #expect(
                outcome.output.contains("1: this is not an audit log; expected an audit file, not compressed"))
        }
        try scratch.write("blank", try scratch.text("audit.log") + "\n")
        let outcome = try verify(["blank"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("blank:51: this line is empty; an audit log has no empty lines"))
    }

    @Test func `a file's name cannot control the terminal`() throws {
        let outcome = try verify(["no\u{1B}[2J\u{202E}"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(#"/no\u001b[2J\u202e: cannot be opened"#), "\(outcome.errors)")
    }

    @Test func `a removed line is reported by file and line, with status 1`() throws {
        var lines = try scratch.text("audit.log").split(separator: "\n")
        lines.remove(at: 20)
        try scratch.write("audit.log", lines.joined(separator: "\n") + "\n")
        let outcome = try verify(["audit.log.1", "audit.log"])
        #expect(outcome.status == 1)
        let place = "\(scratch.path("audit.log")):21"
        #expect(outcome.output.hasSuffix("\nbroken: removed: \(place): lines before this one are missing\n"))
        let json = try verify(["audit.log.1", "audit.log"], ["--json"])
        #expect(json.status == 1)
        let members = try json.json()
        #expect(members["unbroken"] as? Bool == false)
        #expect(members["lines"] as? Int == 99)
        #expect((members["fault"] as? [String: Any])?["line"] as? Int == 21)
        #expect((members["fault"] as? [String: Any])?["file"] as? String == scratch.path("audit.log"))
    }

    @Test(arguments: [2, 25, 50])
    func `a changed letter is reported in its line, even the last`(line: Int) throws {
        var lines = try scratch.text("audit.log").split(separator: "\n").map(String.init)
        lines[line - 1] = lines[line - 1].replacing("rüdiger", with: "rudiger")
        try scratch.write("audit.log", lines.joined(separator: "\n") + "\n")
        let outcome = try verify(["audit.log.1", "audit.log"])
        #expect(outcome.status == 1)
        let place = "\(scratch.path("audit.log")):\(line)"
        #expect(outcome.output.hasSuffix("\nbroken: changed: \(place): this line is not as it was written\n"))
    }

    @Test func `lines cut off the end are found by the expected hash`() throws {
        let hash = try scratch.text("hash")
        let lines = try scratch.text("audit.log").split(separator: "\n").dropLast(3)
        try scratch.write("audit.log", lines.joined(separator: "\n") + "\n")
        #expect(try verify(["audit.log.1", "audit.log"]).status == 0)
        let outcome = try verify(["audit.log.1", "audit.log"], ["--expect-last", hash])
        #expect(outcome.status == 1)
        let place = "\(scratch.path("audit.log")):47"
        #expect(outcome.output.contains("broken: removed: \(place): no file and no run of the daemon ends with "))
    }

    @Test func `the last hashes of both files are found, unknown ones named`() throws {
        let (old, new) = (try lastHash("audit.log.1"), try lastHash("audit.log"))
        let zeros = String(repeating: "0", count: 64)
        func outcome(_ hashes: String...) throws -> Outcome {
            try verify(["audit.log.1", "audit.log"], hashes.flatMap { ["--expect-last", $0] })
        }
        for flags in [[old, new], [new, old]] {
            let found = try outcome(flags[0], flags[1])
            #expect(found.status == 0)
            #expect(found.output.hasSuffix("\nunbroken\n"))
        }
        let unknown = try outcome(zeros, new)
        #expect(unknown.status == 1)
        #expect(unknown.output.contains(" ends with the expected hash \(zeros); lines were removed"))
        let one = String(zeros.dropLast() + "1")
        let several = try outcome(one, old, zeros, new)
        #expect(several.status == 1)
        #expect(several.output.contains(" ends with the expected hashes \(zeros), \(one); lines were removed"))
        let older = try outcome(old)
        #expect(older.status == 1)
        #expect(older.output.contains("the last line has none of the expected hashes; lines were added"))
    }

    @Test func `files in the wrong order are refused`() throws {
        let outcome = try verify(["audit.log", "audit.log.1"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("broken: removed: \(scratch.path("audit.log.1")):1: "))
    }

    @Test func `a missing file ends with status 1, wrong usage with 64`() throws {
        let outcome = try verify(["none.log"])
        #expect(outcome.status == 1)
        #expect(
            outcome.sentences == ["\(scratch.path("none.log")): cannot be opened: No such file or directory"])
        #expect(outcome.output == "")
        #expect(try verify(["audit.log"], ["--expect-last", "abc"]).status == 64)
        #expect(try verify([]).status == 64)
    }
}
