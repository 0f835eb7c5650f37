import ArgumentParser
import AuditLog
import SystemFiles

/// `token-provider audit`: what operators do with audit logs.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check the audit log.",
        discussion: """
            Examples:

              token-provider audit verify audit
              token-provider help audit verify

            Exit status:
              0   no fault was found
              1   there is a fault, or a file cannot be read
              64  wrong command line
            """,
        subcommands: [AuditVerifyCommand.self])
}

/// `token-provider audit verify`: whether an audit log is unchanged since it was written.
struct AuditVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find the first line of an audit log that was removed, changed, moved or cut off.",
        discussion: """
            Examples:

              token-provider audit verify audit
              token-provider audit verify audit.2 audit.1 audit --checkpoints daemon.log

            Give the files in the order they were written, the oldest first. The daemon \
            writes checkpoints to its log or to audit.checkpoints. Without them, or a \
            last_hash of its log for --expect-last, lines removed from the end of a chain \
            are not found. The documentation explains chains and the members of --json.

            Exit status:
              0   no fault was found
              1   there is a fault, or a file cannot be read
              64  wrong command line
            """)

    @Argument(help: ArgumentHelp("Files of one audit log.", valueName: "file"))
    var files: [String]

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The hash of the last line of a chain (64 hexadecimal digits); may be repeated. Default: not checked.",
            valueName: "hash"))
    var expectLast: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A log or a file with checkpoints, whose lines must all be there; may be repeated. Default: not checked.",
            valueName: "file"))
    var checkpoints: [String] = []

    @Flag(help: "Write one JSON object.")
    var json = false

    private static let chunk = 65_536

    func validate() throws {
        let areHashes = expectLast.allSatisfy { $0.utf8.count == 64 && $0.utf8.allSatisfy(Self.digits.contains) }
        guard areHashes else {
            throw ValidationError("--expect-last is not a hash; expected 64 lower-case hexadecimal digits")
        }
    }

    func run() throws {
        ProcessSetup.prepare()
        var verifier = AuditVerifier(expecting: Set(expectLast), checkpoints: try readCheckpoints())
        for file in files {
            try read(file) {
                verifier.begin(file)
            } each: {
                verifier.read($0)
            }
        }
        let result = verifier.finish()
        try Startup.deliver(json ? result.json : result.text)
        if result.fault != nil { throw ExitCode.failure }
    }

    private static let digits = Set("0123456789abcdef".utf8)

    private func readCheckpoints() throws -> [AuditChain] {
        var found = AuditCheckpoints()
        for path in checkpoints {
            let before = found.chains.count
            try read(path) {
            } each: {
                found.read($0)
            }
            found.endFile()
            guard found.chains.count > before else {
                Terminal.complain(
                    "\(path): has no checkpoint; expected the daemon's log or a file of audit.checkpoints")
                throw ExitCode.failure
            }
        }
        return found.chains
    }

    private func read(_ path: String, begin: () -> Void, each read: ([UInt8]) -> Void) throws {
        do {
            let file = try SystemFile(path: path)
            begin()
            while true {
                let bytes = try file.read(atMost: Self.chunk, within: nil)
                if bytes.isEmpty { return }
                read(bytes)
            }
        } catch {
            Terminal.complain("\(path): \(error.predicate)")
            throw ExitCode.failure
        }
    }
}
