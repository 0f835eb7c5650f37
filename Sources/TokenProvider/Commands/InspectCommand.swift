import OpenSSLSigner
import ArgumentParser
import FleetEngineToken
import OpenSSLCrypto
import SystemFiles

/// `token-provider inspect`: what a token says, and why Fleet Engine would refuse it.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Say what a token holds and every reason for which Fleet Engine would refuse it.",
        discussion: """
            The token may be anybody's: in quotes, behind "Authorization: Bearer", within the JSON of an answer, or all \
            of a curl command or of an answer with its head. \
            Other users of this machine can see arguments; standard input they cannot:

              curl -s 'http://127.0.0.1:8080/token?tripID=trip-1' | token-provider inspect

            With --json one object is written, each of its members always there, null where there is nothing: member \
            (of the JSON in which the token stood), header, claims, times (now, iat, nbf, exp: seconds and utc), purpose \
            (kinds, roles, sentence), signature (status: verified, wrong or not_checked; sentence), findings (code, \
            severity: refused, warning or note; claim, problem, fix) and refused.

            Exit status: 0 where nothing would make Fleet Engine refuse the token, 1 where something would, 64 for a \
            wrong command line or a key file that cannot be used.
            """)

    @Argument(help: ArgumentHelp("The token; - or nothing reads it from standard input.", valueName: "token"))
    var token: [String] = []

    @Option(
        help: ArgumentHelp(
            "Verify the signature by this file: a public key, certificate or private key (PEM), a service-account key or "
                + "a JWK set (JSON).", valueName: "file"))
    var key: String?

    @Flag(help: "Write JSON for programs.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        let keys = try key.map(Self.readKeys)
        let inspection = TokenInspection(of: try text(), at: Int64(SystemClock.now().tv_sec))
        let report = InspectionReport(inspection, signature: SignatureCheck(of: inspection, by: keys))
        if json {
            try Startup.deliver(InspectionJSON.text(report))
        } else {
            try Startup.deliver(InspectionText(isColoured: Terminal.showsColour(Environment.variables())).text(report))
        }
        if report.isRefused { throw ExitCode.failure }
    }

    private static let maxBytes = 65_536

    /// What is to be inspected.
    private func text() throws -> [UInt8] {
        let text: [UInt8]
        if token.isEmpty || token == ["-"] {
            guard !token.isEmpty || !Terminal.isInput else {
                throw Startup.misuse("there is no token; expected one as an argument or on standard input")
            }
            text = try Self.read("standard input") { () throws(SystemFileError) in
                try SystemFile.readStandardInput(atMost: Self.maxBytes + 1)
            }
        } else {
            // A header line that nobody quoted arrives word by word.
            text = Array(token.joined(separator: " ").utf8)
        }
        guard text.count <= Self.maxBytes else { throw Startup.misuse("the text is over 64 KiB; expected one token") }
        return text
    }

    private static func readKeys(_ path: String) throws -> NamedKeys {
        let content = try read("--key \(path)") { () throws(SystemFileError) in
            try SystemFile(path: path).read(atMost: maxBytes + 1)
        }
        guard content.count <= maxBytes else { throw Startup.misuse("--key \(path): is over 64 KiB; expected a key") }
        do {
            return NamedKeys(file: path, keys: try VerificationKeys(content: content, source: path))
        } catch {
            throw Startup.misuse("--key \(error.sentence)")
        }
    }

    private static func read(_ name: String, _ body: () throws(SystemFileError) -> [UInt8]) throws -> [UInt8] {
        do {
            return try body()
        } catch {
            throw Startup.misuse("\(name): \(error.predicate)")
        }
    }
}
