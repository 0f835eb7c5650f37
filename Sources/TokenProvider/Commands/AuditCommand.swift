import ArgumentParser
import AuditLog
import SystemFiles

/// `token-provider audit`: what an operator does with audit trails.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check the record of who was given which token.",
        subcommands: [AuditVerifyCommand.self])
}

/// `token-provider audit verify`: whether an audit trail is as it was written.
struct AuditVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find the first line of an audit trail that was removed, changed, moved or left without end.",
        discussion: """
            Give the files of one trail in the order they were written, the oldest first:

              token-provider audit verify audit.log.2 audit.log.1 audit.log

            A file that was renamed while the program ran, with SIGHUP after it, is continued by the next one; one that was \
            renamed while it stood still is not, and is checked by itself.

            Where a trail goes to standard output or a log daemon, each start of the program begins a chain, whose first line \
            says so: that is told, with its line and time and the end of the chain before, and is nothing wrong.

            Each line ends with the SHA-256 of what is before that in it, in which it names the hash of the line before. \
            What followed the last line of a chain nobody can tell: that lines at the end were removed is found by the \
            hash that the program logs (last_hash) when it stops or goes on in a new file, with --expect-last; given more \
            than once, each must be the end of a chain. Nor does a chain show that all of it was written anew.

            With --json one object is written, each of its members always there, null where there is nothing: unbroken, \
            files, lines, first_time, last_time, earlier_seq and earlier_hash (of the line before the first, which is in a file \
            that was not given), last_seq, last_hash, chains_begun and beginnings (file, line, time, \
            former_seq, former_hash; the first 100), torn_places (lines without end that were cut off or \
            closed off after a crash or a failed write), lost_records (of requests that got no token, since they could not be \
            written), counted_refusals (which have no line of their own, but are in the count of one) and fault \
            (kind: removed, changed, reordered or torn; file, line, sentence).

            Exit status: 0 where nothing is wrong, 1 where something is or a file cannot be read, 64 for a wrong command \
            line.
            """)

    @Argument(help: ArgumentHelp("An audit file.", valueName: "file"))
    var files: [String]

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("The hash that the last line of a chain must have.", valueName: "hash"))
    var expectLast: [String] = []

    @Flag(help: "Write JSON for programs.")
    var json = false

    private static let chunk = 65_536

    func validate() throws {
        let areHashes = expectLast.allSatisfy { $0.utf8.count == 64 && $0.utf8.allSatisfy(Self.digits.contains) }
        guard areHashes else {
            throw ValidationError("--expect-last is no hash; expected 64 lower-case hexadecimal digits")
        }
    }

    func run() throws {
        ProcessSetup.prepare()
        var verifier = AuditVerifier(expecting: Set(expectLast))
        for file in files { try read(file, into: &verifier) }
        let result = verifier.finish()
        try Startup.deliver(json ? result.json : result.text)
        if result.fault != nil { throw ExitCode.failure }
    }

    private static let digits = Set("0123456789abcdef".utf8)

    private func read(_ path: String, into verifier: inout AuditVerifier) throws {
        do {
            let file = try SystemFile(path: path)
            verifier.begin(path)
            while true {
                let bytes = try file.read(atMost: Self.chunk)
                if bytes.isEmpty { return }
                verifier.read(bytes)
            }
        } catch {
            Terminal.complain("\(path): \(error.predicate)")
            throw ExitCode.failure
        }
    }
}
