import ArgumentParser
import CallerAccess
import FleetEngineToken
import OpenSSLSigner
import ServiceConfiguration
import StrictJSON
import SystemFiles
import TokenInspection
import TokenService

/// `token-provider inspect`: what a token contains, and why Fleet Engine would refuse it.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Explain a token and every reason why Fleet Engine would refuse it.",
        discussion: """
            Examples:

              token-provider inspect < token.txt
              curl -s "$URL/token?tripID=trip-1" | token-provider inspect --key keys.json

            Accepts a token, an Authorization header, a curl command, or an HTTP answer. \
            Prefer standard input, because other users of the machine can see arguments.

            Exit status:
              0   Fleet Engine has no reason to refuse the token
              1   it has a reason
              64  wrong command line, or --key cannot be used
              78  --config cannot be used
            """)

    @Argument(
        help: ArgumentHelp("The token, at most 64 KiB. Default: -, which means standard input.", valueName: "token"))
    var token: [String] = []

    @Option(
        help: ArgumentHelp(
            "Verify the signature with this file, at most 64 KiB: a public key, certificate or private key (PEM), a "
                + "service-account key or a JWK set (JSON). Default: the signature is not verified.", valueName: "file")
    )
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Configuration file (YAML), for recognising ID tokens of its issuers. Default: TOKEN_PROVIDER_CONFIG, then "
                + "\(ServiceUnit.configuration), if they can be read.",
            valueName: "file"))
    var config: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        let keys = try key.map(Self.readKeys)
        let issuers = try issuers()
        let report = InspectionReport(
            of: try text(), at: Int64(SystemClock.now().tv_sec), keys: keys, cure: RequestOutcome.cure,
            issuer: issuers.name)
        if json {
            try Startup.deliver(report.json)
        } else {
            let text = InspectionText(isColoured: Terminal.showsColour(Environment.variables()))
            try Startup.deliver(text.text(report), isStyled: true)
        }
        if report.isRefused { throw ExitCode.failure }
    }

    /// The configured issuers. Only a file that the command line names must be right.
    private func issuers() throws -> [Configuration.Issuer] {
        let environment = Environment.variables()
        let read = Configuration.read(
            file: SocketUnits.configuration(config, environment), flags: ConfigurationFlags(), environment: environment,
            rules: [])
        guard config != nil else { return read.values.issuers }
        return try Startup.orRefuse { () throws(ConfigurationErrors) in try read.configuration().configuration.issuers }
    }

    private static let maxBytes = 65_536

    /// The text to inspect.
    private func text() throws -> [UInt8] {
        let text: [UInt8]
        if token.isEmpty || token == ["-"] {
            guard !token.isEmpty || !Terminal.isInput else {
                throw Startup.misuse("the token is missing; expected one as an argument or on standard input")
            }
            text = try Self.read("standard input") { () throws(SystemFileError) in
                try SystemFile.readStandardInput(atMost: Self.maxBytes + 1)
            }
        } else {
            // A header without quotation marks arrives word by word.
            text = Array(token.joined(separator: " ").utf8)
        }
        guard text.count <= Self.maxBytes else { throw Startup.misuse("the text is over 64 KiB; expected one token") }
        return text
    }

    private static func readKeys(_ path: String) throws -> KeyFile {
        let content = try read("--key \(path)") { () throws(SystemFileError) in
            try SystemFile(path: path).read(atMost: maxBytes + 1)
        }
        guard content.count <= maxBytes else { throw Startup.misuse("--key \(path): is over 64 KiB; expected a key") }
        do {
            let keys = try VerificationKeys(content: content, source: path)
            return KeyFile(
                place: "the \(keys.form.rawValue) in \(path)", isSet: keys.form == .keySet, keys: keys.keys,
                account: keys.account, skipped: keys.skipped)
        } catch {
            throw Startup.misuse("--key \(error.sentence)")
        }
    }

    private static func read(_ name: String, _ body: () throws(SystemFileError) -> [UInt8]) throws -> [UInt8] {
        try Startup.orMisuse(body) { "\(name): \($0.predicate)" }
    }
}

extension [Configuration.Issuer] {
    /// The name of the issuer that made a token with these claims, as the token says it; nil for one of no configured issuer.
    func name(_ claims: JSONObject) -> String? {
        guard let issuer = first(where: { $0.policy.issued(claims) }) else { return nil }
        guard case .string(let name) = claims["iss"] else { return issuer.policy.issuer }
        return name
    }
}
