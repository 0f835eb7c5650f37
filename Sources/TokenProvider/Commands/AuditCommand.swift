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
              token-provider audit verify audit.2 audit.1 audit --expect-last HASH

            Give the files in the order they were written, the oldest first. HASH is a \
            last_hash from the daemon's log; without it, lines removed from the end of a \
            chain are not found. The documentation explains chains and the members of --json.

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
