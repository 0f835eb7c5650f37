import ArgumentParser
import CallerAccess
import FleetEngineToken
import Logging
import ServiceConfiguration
import SystemFiles
import TokenService

/// `token-provider explain`: would this caller get this token, and why.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say whether a caller would get a token, by which rule, or what is missing.",
        discussion: """
            Decides as serve would, without serving: the caller's token is verified, with keys that are fetched if they \
            have to be, and the rules are asked; so is the company's back end where one of them leaves it to that, with the \
            caller's token and those fields of forward_auth.headers that are given by --header. Where neither --as nor \
            --certificate says who calls, a --header named Authorization or as api_keys.header does, as it would in a \
            request. Issuers whose keys cannot be fetched are told on standard error. No token of a kind that is off \
            is handed out to anybody.

              token-provider explain --config FILE --as TOKEN --trip t-1
              pbpaste | token-provider explain --config FILE --as - --kind server

            Exit status 0 if the token would be handed out, 1 if not. With --json one object is written, with the members \
            allowed, principal, source, kind, rule and reason, and where the back end was asked unsent_fields and the \
            lifetime that it gives, in seconds.
            """)

    @OptionGroup(title: "What the token is for") var subject: SubjectOptions
    @OptionGroup var source: ConfigurationOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The caller's token or API key, bare or behind Bearer; - reads it.", valueName: "token"))
    var caller: String?

    @Option(
        name: .customLong("header"), parsing: .singleValue,
        help: ArgumentHelp(
            "A field of the caller's request: Authorization, that of API keys, or one for the back end.",
            valueName: "Name: value"))
    var fields: [String] = []

    @Option(
        help: ArgumentHelp(
            "The name of the caller's certificate, as rules have it: uri:spiffe://example.com/depot.", valueName: "name"
        ))
    var certificate: String?

    @Flag(help: "For programs.")
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
        let (configuration, _) = try source.load(ConfigurationFlags(credentials: source.credentials))
        let (credentials, shown) = try request(by: flagged, configuration.values)
        let setup = try Startup.orRefuse { () throws(ConfigurationErrors) in
            try CallerSetup(configuration.values, logger: .silent)
        }
        setup.activate()
        for outage in setup.issuers?.outagesAfterFetching() ?? [] { Terminal.complain(outage) }
        let isServed = configuration.keyFile(of: claims.kind) != nil
        let absence = isServed ? nil : configuration.absence(of: claims.kind)
        let explanation = Explanation(claims, by: credentials, showing: shown, setup.tables, absence)
        try Startup.deliver(json ? explanation.json : explanation.text)
        guard explanation.isAllowed else { throw ExitCode.failure }
    }

    /// Who calls, and what of the request a back end is shown, in the order in which serve shows it.
    private func request(
        by flagged: FlaggedCaller?, _ values: ConfigurationValues
    ) throws -> (credentials: CallerCredentials, shown: ShownFields) {
        let (names, keyField) = (values.forwardAuth.headers, values.apiKeys.header)
        do throws(GivenFieldError) {
            let given = try GivenFields(fields)
            try given.check(against: names, keyField: keyField, besides: flagged?.flag)
            guard let flagged else {
                let shown = ShownFields(given, of: names, beside: .none)
                return (CallerCredentials(given, keyField: keyField), shown)
            }
            return (flagged.credentials, ShownFields(given, of: names, beside: flagged.credentials))
        } catch {
            throw Startup.misuse(error.sentence)
        }
    }

    /// Whom a flag says to call.
    private struct FlaggedCaller {
        let flag: String
        let credentials: CallerCredentials
    }

    /// Nil if no flag says who calls.
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
