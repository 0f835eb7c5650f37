import ArgumentParser
import Concurrency
import Dispatch
import FleetEngineToken
import OpenSSLCrypto
import OpenSSLSigner
import ServiceConfiguration
import StrictJSON
import SystemFiles
import TokenService

/// `token-provider doctor`: asks Google whether tokens can be made, and names what to do if not.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Ask Google, for each kind, whether tokens can be signed and are accepted, and name each cure.",
        discussion: """
            Examples:

              token-provider doctor --config token-provider.yaml
              token-provider doctor --config token-provider.yaml --project my-fleet

            Takes the steps that serve would: finds the credentials, gets an access token, \
            has a token signed, and verifies it. A step that fails comes with the commands \
            that fix it. No token is shown. check does the same without a network.

            Exit status:
              0   every step that was taken succeeded
              1   a step failed
              64  wrong command line
              78  wrong configuration
            """)

    @OptionGroup var source: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "The Google Cloud project whose Fleet Engine is asked whether it accepts the tokens. Default: none.",
            valueName: "id"))
    var project: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    /// Everything takes less than half a minute, whatever Google does.
    private static let time = Duration.seconds(28)

    func run() throws {
        ProcessSetup.prepare()
        if let project, !Self.isProject(project) {
            throw Startup.misuse(
                "--project is not a project's id; expected letters, digits and hyphens, such as my-fleet")
        }
        let examinations = try examinations()
        let text = DoctorText(isColoured: Terminal.showsColour(Environment.variables()))
        let progress = json ? nil : DoctorProgress(examinations.map(\.kind), text) { Terminal.say($0, isStyled: true) }
        let report = report(by: examinations, showing: progress)
        try Startup.deliver(json ? report.json : text.end(report), isStyled: !json)
        if !report.isHealthy { throw ExitCode.failure }
    }

    /// The diagnosis of each kind that is served, all made at once.
    private func report(by examinations: [KindExamination], showing progress: DoctorProgress?) -> DoctorReport {
        let found = Guarded<[KindDiagnosis]>([])
        let group = DispatchGroup()
        for examination in examinations {
            // Blocks of one concurrent queue would share a thread for each core, and get another only each second.
            DispatchQueue(label: "doctor \(examination.kind.rawValue)").async(group: group) {
                let diagnosis = examination.run(showing: progress)
                found.withLock { $0.append(diagnosis) }
            }
        }
        group.wait()
        return DoctorReport(
            project: project, kinds: found.withLock { $0 }.sorted { $0.kind.ordinal < $1.kind.ordinal },
            reached: examinations.first?.probes.reached ?? [])
    }

    private func examinations() throws -> [KindExamination] {
        let resolver = Configuration.read(
            file: source.config, flags: ConfigurationFlags(credentials: source.credentials),
            environment: Environment.variables(), rules: ConfigurationRule.ofKeys)
        let (configuration, probes) = try Startup.orRefuse { () throws(ConfigurationErrors) in
            let configuration = try resolver.configuration().configuration
            return (configuration, try GoogleProbes(configuration, within: Self.time))
        }
        let id = try Startup.orExit {
            let random = try SecureRandom.bytes(8)
            return try FleetEngineID("doctor-\(HexadecimalDigit.text(of: random.span))")
        }
        let kinds = TokenKind.allCases.filter { configuration.keyFile(of: $0) != nil }
        let hardware = HardwareKeys()
        let signers = kinds.map { kind in
            Result { () throws(ConfigurationErrors) in try Signers(configuration, of: [kind], hardware) }
        }
        for warning in Set(signers.flatMap { (try? $0.get())?.warnings ?? [] }).sorted() { Terminal.warn(warning) }
        return try zip(kinds, signers).map { kind, signers in
            KindExamination(
                kind, configuration, signers, CredentialsPlace(kind, resolver),
                try Startup.orExit { try DoctorSubject(kind, id) }, probes, project: project)
        }
    }

    /// Whether the text may be a project's id, which may have a domain before a colon.
    private static func isProject(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.first != "-"
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-.:".utf8.contains(byte)
                }
            }
    }
}
