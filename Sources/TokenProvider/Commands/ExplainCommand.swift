import ArgumentParser
import CallerAccess
import FleetEngineToken
import Logging
import ServiceConfiguration
import SystemFiles
import TokenService

/// `token-provider explain`: whether a caller would get a token, and why.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain whether a caller would get a token: by which rule, or what is missing.",
        discussion: """
            Examples:

              token-provider explain --config FILE --as TOKEN --trip t-1
              token-provider explain --config FILE --as - --kind server < token.txt

            Decides as serve would: it verifies the credentials, for which it may fetch \
            issuers' keys. Then it applies the rules, which may ask the back end.

            Exit status:
              0   the caller would get the token
              1   the caller would not
              64  wrong command line
              78  wrong configuration or key file
            """)

    @OptionGroup(title: "What the token is for") var subject: SubjectOptions
    @OptionGroup var source: ConfigurationOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The caller's token or API key, alone or after Bearer; - reads standard input. Default: no credentials.",
            valueName: "token"))
    var caller: String?

    @Option(
        name: .customLong("header"), parsing: .singleValue,
        help: ArgumentHelp(
            "A header of the caller's request: Authorization, that of API keys or of an issuer's tokens, or one for "
                + "the back end; may be repeated. Default: none.",
            valueName: "Name: value"))
    var fields: [String] = []

    @Option(
        help: ArgumentHelp(
            "The caller's certificate by its name in rules, such as uri:spiffe://example.com/depot. Default: none.",
            valueName: "name"
        ))
    var certificate: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        guard !subject.allTasks else {
            throw Startup.misuse("--all-tasks: no request can ask for every task; expected --tasks ID,ID")
        }
        let claims: PrivateClaims
        do {
            claims = try subject.claims()
        } catch {
            throw Startup.misuse(error.sentence)
        }
        let flagged = try flaggedCaller()
        let configuration = try source.load()
        let (credentials, shown) = try request(by: flagged, configuration)
        let setup = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try CallerSetup(configuration, logger: .silent)
        }
        setup.start()
        for outage in setup.issuers?.outagesAfterFetching() ?? [] { Terminal.complain(outage) }
        let explanation = Explanation(
            claims, by: credentials, showing: shown, setup.gate, configuration.absence(ofUnserved: claims.kind))
        let text = ExplanationText(isColoured: Terminal.showsColour(Environment.variables()))
        try Startup.deliver(json ? explanation.json : text.text(explanation), isStyled: !json)
        guard explanation.isAllowed else { throw ExitCode.failure }
    }

    /// The caller's credentials, and the headers for the back end in the order in which serve sends them.
    private func request(
        by flagged: FlaggedCaller?, _ values: Configuration
    ) throws -> (credentials: CallerCredentials, shown: ShownFields) {
        let own = CredentialFields(values)
        let reached = values.forwardAuth.method == .get ? BackEndQuestion.reachedHeaders : []
        let names = values.forwardAuth.headers + reached
        do throws(GivenFieldError) {
            let given = try GivenFields(fields)
            try given.check(against: names, own, besides: flagged?.flag)
            guard let flagged else {
                let shown = ShownFields(given, of: names, beside: .none)
                return (CallerCredentials(given, in: own), shown)
            }
            return (flagged.credentials, ShownFields(given, of: names, beside: flagged.credentials))
        } catch {
            throw Startup.misuse(error.sentence)
        }
    }

    /// The caller that a flag names.
    private struct FlaggedCaller {
        let flag: String
        let credentials: CallerCredentials
    }

    /// Nil if no flag names the caller.
    private func flaggedCaller() throws -> FlaggedCaller? {
        if let certificate {
            guard caller == nil, let name = CertificateName(certificate) else {
                throw Startup.misuse(
                    "--certificate: expected uri:, dns:, email: or subject: and a certificate's name, and no --as beside it"
                )
            }
            return FlaggedCaller(flag: "--certificate", credentials: .certificate(CertificateCaller(name)))
        }
        guard let caller else { return nil }
        var text = Array(caller.utf8)
        if caller == "-" { text = try Startup.orExit { try SystemFile.readStandardInput(atMost: 64 << 10) } }
        return FlaggedCaller(flag: "--as", credentials: CallerCredentials(pasted: text))
    }
}
