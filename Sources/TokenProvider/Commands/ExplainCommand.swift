import ArgumentParser
import CallerAccess
import Dispatch
import FleetEngineToken
import HTTPServer
import Locking
import Logging

/// `token-provider explain`: would this caller get this token, and why.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say whether a caller would get a token, by which rule, or what is missing.",
        discussion: """
            Decides as serve would, without serving: the caller's token is verified, with keys that are fetched if they \
            have to be, and the rules are asked; so is the company's back end where one of them leaves it to that, with the \
            caller's token and no other field. No token of a kind that is off is handed out to anybody.

              token-provider explain --config FILE --as TOKEN --trip t-1
              pbpaste | token-provider explain --config FILE --as - --kind server

            Exit status 0 if the token would be handed out, 1 if not. With --json one object is written, with the members \
            allowed, principal, source, kind, rule and reason.
            """)

    @OptionGroup(title: "What the token is for") var subject: SubjectOptions
    @OptionGroup var source: ConfigurationOptions

    @Option(
        name: .customLong("as"), help: ArgumentHelp("The caller's token or API key; - reads it.", valueName: "token"))
    var caller: String?

    @Option(
        help: ArgumentHelp(
            "The name of the caller's certificate, as rules have it: uri:spiffe://example.com/depot.", valueName: "name"
        ))
    var certificate: String?

    @Flag(help: "For programs.")
    var json = false

    func run() throws {
        ProcessSetup.prepare()
        let claims: PrivateClaims
        do {
            claims = try subject.claims()
        } catch {
            throw Startup.misuse(error.sentence)
        }
        let credentials = try credentials()
        let (configuration, _) = try source.load(ConfigurationFlags(credentials: source.credentials))
        let setup = try Startup.orRefuseCallers { () throws(CallerErrors) in
            try CallerSetup(configuration.values, logger: .silent)
        }
        setup.activate()
        for feed in setup.issuers?.feeds.values ?? [:].values { feed.waitForKeys() }
        let isServed = configuration.keyFile(of: claims.kind) != nil
        let absence = isServed ? nil : configuration.absence(of: claims.kind)
        let explanation = Explanation(claims, by: credentials, setup.tables, absence)
        try Startup.deliver(json ? explanation.json : explanation.text)
        guard explanation.isAllowed else { throw ExitCode.failure }
    }

    private func credentials() throws -> CallerCredentials {
        if let certificate {
            guard caller == nil, let name = CertificateName(certificate) else {
                throw Startup.misuse(
                    "--certificate: expected uri:, dns:, email: or subject: and a certificate's name, and no --as beside it"
                )
            }
            return .certificate(CertificateCaller(name))
        }
        guard let caller else { return .none }
        guard caller == "-" else { return CallerCredentials(token: Array(caller.utf8)) }
        let read = try Startup.orExit { try SystemFile.readStandardInput(atMost: 64 << 10) }
        let token = read.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        return CallerCredentials(token: Array(token))
    }
}

extension CallerCredentials {
    /// The field that they would stand in.
    fileprivate var shownFields: [BackEndQuestion.Field] {
        switch self {
        case .none, .certificate, .foreign, .unusable: []
        case .token(let bytes), .apiKey(let bytes):
            [BackEndQuestion.Field("authorization", Array("Bearer ".utf8) + bytes)]
        }
    }
}

/// A decision and its reason.
struct Explanation {
    let isAllowed: Bool
    private let claims: PrivateClaims
    private let principal: Principal?
    private let rule: String?
    private let reason: String

    /// The decision of these tables about a token of a kind that is served, unless it is absent.
    init(
        _ claims: PrivateClaims, by credentials: CallerCredentials, _ tables: CallerTables,
        _ absence: KindAbsence? = nil
    ) {
        self.claims = claims
        do throws(CallerRefusal) {
            let caller = try tables.caller(showing: credentials, from: nil, .none, at: .now())
            if let absence {
                try caller.mustBeKnown()
                (isAllowed, principal, rule) = (false, caller.principal, nil)
                reason = "the kind is off: \(absence.advice(on: claims.kind))"
                return
            }
            let grant = try Self.grant(try caller.permission(claims, showing: credentials.shownFields))
            (isAllowed, principal, rule) = (true, grant.principal, grant.rule)
            reason = grant.rule.map { "the rule \($0) allows it" } ?? "nobody is asked who they are (callers: none)"
        } catch {
            (isAllowed, principal, rule, reason) = (false, error.principal, nil, error.reason)
        }
    }

    /// The permission that there is, or that a back end gives, which is waited for.
    private static func grant(_ permission: Permission) throws(CallerRefusal) -> Grant {
        switch permission {
        case .granted(let grant): return grant
        case .open(let request):
            let decision = Guarded<Result<BackEndDecision, BackEndOutage>?>(nil)
            let decided = DispatchSemaphore(value: 0)
            request.forwardAuth.decide(request.question, requestID: 0) { result in
                decision.withLock { $0 = result }
                decided.signal()
            }
            decided.wait()
            let outage = BackEndOutage("it was not asked", health: .unknown)
            return try request.grant(by: decision.withLock { $0 } ?? .failure(outage))
        }
    }

    /// For people.
    var text: String {
        let who = principal.map { "\(JSONText.compact(.string($0.name))) (\($0.source))" } ?? "nobody who is known"
        return """
            \(isAllowed ? "allowed" : "refused"): a token of the kind \(claims.kind.rawValue)
            caller:  \(who)
            because: \(reason)
            """
    }

    /// For programs.
    var json: String {
        var json = JSONWriter(escaping: .logLine, reserving: 512)
        json.object { json in
            json.key("allowed")
            json.value(.bool(isAllowed))
            if let principal {
                json.member("principal", principal.name)
                json.member("source", principal.source.description)
            }
            json.member("kind", claims.kind.rawValue)
            if let rule { json.member("rule", rule) }
            json.member("reason", reason)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
