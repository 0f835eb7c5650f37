import ArgumentParser
import FleetEngineToken
import ServiceConfiguration
import SystemFiles

/// `token-provider mint`: a token for whoever holds the keys.
struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Write a token of any kind, for use with curl against Fleet Engine.",
        discussion: """
            Alone on its line, as a header line, or as people read it:

              TOKEN=$(token-provider mint --credentials key.json --vehicle v-1)
              curl -H "$(token-provider mint --config FILE --trip t-1 --header)" URL
              token-provider mint --credentials key.json --kind server --show

            Keys, audience and times are those that serve would use for the kind. A kind that is not served, a wildcard \
            one above all, can be minted too: who can read the key can sign anything with it. A wildcard token opens \
            everything: keep it to yourself.

            With --json one object is written, with the members token, kind, account, kid, issuedAt and expiresAt \
            (seconds since the epoch), header and claims. What is unwise is said on standard error.
            """)

    @OptionGroup(title: "What the token is for") var subject: SubjectOptions
    @OptionGroup var source: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "From iat to exp, as 15m or 900 seconds, instead of the configuration's.", valueName: "duration"))
    var lifetime: String?

    @Flag(exclusivity: .exclusive)
    var form: MintForm?

    func run() throws {
        ProcessSetup.prepare()
        let claims = try claims()
        let lifetime = try lifetime.map(Self.seconds)
        let minter = try minter(of: claims.kind, lifetime: lifetime)
        let report: MintedReport
        do {
            report = try MintedReport(claims, by: minter, at: Int64(SystemClock.now().tv_sec))
        } catch {
            Terminal.complain("no token could be signed: \(error.reason)")
            throw ExitCode.failure
        }
        for warning in report.warnings { Terminal.warn(warning) }
        try Startup.deliver(report.text(form, isColoured: Terminal.showsColour(Environment.variables())))
    }

    private func claims() throws -> PrivateClaims {
        do {
            return try subject.claims()
        } catch {
            throw Startup.misuse(error.sentence)
        }
    }

    private func minter(of kind: TokenKind, lifetime: Int64?) throws -> TokenMinter {
        let (configuration, signers) = try source.loadSigners(of: [kind])
        do {
            if let minter = try signers.minter(of: kind, configuration, lifetime: lifetime) { return minter }
        } catch {
            throw Startup.misuse("--lifetime: \(error.sentence)")
        }
        let sentence =
            "no key signs tokens of the kind \(kind.rawValue); expected --credentials FILE, or the setting "
            + "kinds.\(kind.rawValue).credentials or credentials"
        throw Startup.refuse(ConfigurationErrors(sentences: [sentence]))
    }

    /// The seconds of a duration, or of a number alone.
    private static func seconds(_ text: String) throws -> Int64 {
        let duration = DecimalText.whole(text) == nil ? text : "\(text)s"
        let origin = SettingOrigin.flag(name: "--lifetime")
        do {
            return try ScalarForm.seconds(SettingsTable.lifetimes).value(
                of: SettingText(text: duration, isQuoted: false, origin: origin, folder: ""), key: "token.lifetime")
        } catch {
            throw Startup.misuse("\(error)")
        }
    }
}
