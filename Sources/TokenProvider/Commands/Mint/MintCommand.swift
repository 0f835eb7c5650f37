import ArgumentParser
import FleetEngineToken
import ServiceConfiguration
import SystemFiles

/// `token-provider mint`: a token for an operator, who has the keys.
struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Sign a token of any kind, for use with curl against Fleet Engine.",
        discussion: """
            Examples:

              token-provider mint --credentials key.json --kind server --show
              curl -H "$(token-provider mint --config FILE --trip t-1 --header)" URL

            Uses the keys, audience and times that serve would use for the kind, even if \
            the kind is not served. A wildcard token opens the whole fleet: keep it secret.

            Exit status:
              0   the token was written
              1   the token could not be signed or written
              64  wrong command line
              78  wrong configuration or key file
            """)

    @OptionGroup(title: "What the token is for") var subject: SubjectOptions
    @OptionGroup var source: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "From iat to exp, such as 15m or 900 (seconds). Default: token.lifetime.", valueName: "duration"))
    var lifetime: String?

    @Flag(exclusivity: .exclusive)
    var form: MintForm?

    func run() throws {
        ProcessSetup.prepare()
        let claims = try Startup.orMisuse(subject.claims, sentence: \.sentence)
        let lifetime = try lifetime.map(Self.seconds)
        let minter = try minter(of: claims.kind, lifetime: lifetime)
        let report: MintedReport
        do { report = try MintedReport(claims, by: minter, at: Int64(SystemClock.now().tv_sec)) } catch {
            Terminal.complain("no token could be signed: \(error.reason)")
            throw ExitCode.failure
        }
        for warning in report.warnings { Terminal.warn(warning) }
        try Startup.deliver(
            report.text(form, isColoured: Terminal.showsColour(Environment.variables())), isStyled: true)
    }

    private func minter(of kind: TokenKind, lifetime: Int64?) throws -> TokenMinter {
        let (configuration, signers) = try source.loadSigners(of: kind)
        do {
            if let minter = try signers.minter(of: kind, configuration, lifetime: lifetime) { return minter }
        } catch {
            throw Startup.misuse("--lifetime: \(error.sentence)")
        }
        let sentence =
            if let account = signers.remote[kind] {
                "Google signs \(kind.rawValue) tokens (\(account.email ?? account.source)), and mint signs with "
                    + "a key file only; expected --credentials FILE of a service account"
            } else {
                "no key for the kind \(kind.rawValue); expected --credentials FILE, or the setting "
                    + "kinds.\(kind.rawValue).credentials or credentials"
            }
        throw Startup.refuse(ConfigurationErrors(sentences: [sentence]))
    }

    /// The seconds of a duration, or of a number alone.
    private static func seconds(_ text: String) throws -> Int64 {
        let duration = DecimalText.whole(text) == nil ? text : "\(text)s"
        let origin = SettingOrigin.flag(name: "--lifetime")
        return try Startup.orMisuse { () throws(ConfigurationProblem) in
            try ScalarForm.seconds(SettingsTable.lifetimes).value(
                of: SettingText(text: duration, isQuoted: false, origin: origin, folder: ""), key: "token.lifetime")
        } sentence: {
            "\($0)"
        }
    }
}

/// The form of the output, unless it is the token alone.
enum MintForm: String, EnumerableFlag {
    case show, header, json

    static func help(for form: MintForm) -> ArgumentHelp? {
        switch form {
        case .show: "Write what the token says, for people, instead of the token."
        case .header: "Write the header line \"Authorization: Bearer TOKEN\"."
        case .json: "Write one JSON object."
        }
    }
}
