@testable import FleetEngineToken
import HTTPServer
import TestSupport
import Testing

@testable import ServiceConfiguration
@testable import TokenProvider

/// Reports about configurations whose key files do not exist.
@Suite struct CheckReportTests {
    private func report(
        _ environment: [String: String], _ flags: ConfigurationFlags = ConfigurationFlags()
    ) -> CheckReport {
        CheckReport(
            Configuration.read(file: nil, flags: flags, environment: environment.merging(withoutAuthentication) { $1 }))
    }

    private static let missing = "/nowhere/key.json: cannot be opened: No such file or directory"

    @Test func `a key file shared by several kinds is reported once`() {
        let report = report(["TOKEN_PROVIDER_CREDENTIALS": "/nowhere/key.json"])
        #expect(report.errors == [Self.missing])
        #expect(!report.isMisuse)
        let broken = report.served?.kinds.filter { $0.state == .broken } ?? []
        #expect(broken.map(\.kind) == TokenKind.ofSpecificIDs)
    }

    @Test func `an invalid flag is misuse unless there are other errors`() {
        let alone = report([:], ConfigurationFlags(credentials: "{", logLevel: "loud"))
        #expect(alone.errors.count == 2)
        #expect(alone.isMisuse)
        #expect(alone.served == nil)
        let beside = report(["TOKEN_PROVIDER_CREDENTIALS": "/nowhere/key.json"], ConfigurationFlags(logLevel: "loud"))
        #expect(beside.errors.count == 2)
        #expect(beside.errors.last == Self.missing)
        #expect(!beside.isMisuse)
    }

    @Test func `an API key file error beside a flag error is not misuse`() throws {
        let (folder, flags) = (try Scratch(), ConfigurationFlags(logLevel: "loud"))
        let yaml = "api_keys: {file: nowhere}\nrules: [{name: a, kinds: server}]"
        let file = try folder.write("token-provider.yaml", Array(yaml.utf8))
        let report = CheckReport(Configuration.read(file: file, flags: flags, environment: [:]))
        #expect(report.errors.contains("\(folder.path("nowhere")): cannot be opened: No such file or directory"))
        #expect(report.errors.contains { $0.hasPrefix("--log-level: \"loud\" is unknown") })
        #expect(!report.isMisuse)
    }

    @Test func `an API key file without a valid key gives a warning`() throws {
        let folder = try Scratch()
        let keys = try folder.write("keys", Array("# none yet\n".utf8))
        let yaml = "api_keys: {file: keys}\nrules: [{name: a, kinds: server}]"
        let file = try folder.write("token-provider.yaml", Array(yaml.utf8))
        let report = CheckReport(
            Configuration.read(file: file, flags: ConfigurationFlags(), environment: servingEveryKind))
        #expect(report.warnings.contains("api_keys.file: \(keys) has no key that is valid now, so none is accepted"))
    }

    @Test func `six errors of rules and files are reported in one run`() throws {
        let folder = try Scratch()
        let key = "credentials: /nowhere/key.json\nkinds: {enabled: [consumer, driver]}\n"
        let yaml = """
            \(key)issuers:
              - {issuer: https://id.example.com, audiences: a, algorithms: RS256, keys: jwks.json}
            rules:
              - name: riders
                kinds: [consumer]
                issuers: [https://id.example.com/]
                ids: {tripID: any}
              - name: riders
                kinds: [driver]
                ids: {vehicleID: any}
              - name: vehicles
                kinds: [consumer]
                ids: {tripID: any, vehicleID: any}
              - name: depots
                kinds: [driver]
                certificates: ["dns:depot.example.com"]
                ids: {vehicleID: any}
              - name: dispatch
                kinds: [driver]
                api_keys: [dispatch]
                ids: {vehicleID: any}
            """
        let file = try folder.write("token-provider.yaml", Array(yaml.utf8))
        let report = CheckReport(Configuration.read(file: file, flags: ConfigurationFlags(), environment: [:]))
        let errors = report.errors.filter { $0 != Self.missing }
        let beginnings: [String] = [
            #"8:5: rules[0].issuers: the rule riders names the issuer "https://id.example.com/", which is not in issuers;"#,
            #"10:5: rules[1].name: the rule name "riders" is repeated;"#,
            "15:5: rules[2].ids: the rule vehicles lists vehicleID, but consumer tokens have no vehicleID; expected tripID",
            "18:5: rules[3].certificates: the rule depots names a certificate, but no client certificate can be verified;",
            "22:5: rules[4].api_keys: the rule dispatch names API keys, but no file of API keys is configured;",
        ]
        for (error, beginning) in zip(errors, beginnings) { #expect(error.hasPrefix("\(file):\(beginning)")) }
        #expect(errors.count == 6)
        #expect(errors.last == "\(folder.path("jwks.json")): cannot be opened: No such file or directory")
        #expect(errors.first?.hasSuffix("did you mean \"https://id.example.com\", without the last slash?") == true)
    }

    @Test func `every missing file of keys is reported, even beside wrong rules`() throws {
        let folder = try Scratch()
        let line = "dispatch sha256:\(String(repeating: "0a", count: 32)) rules=riders\n"
        let keys = try folder.write("keys", Array(line.utf8))
        let yaml = """
            api_keys: {file: keys}
            issuers:
              - {issuer: a, audiences: a, algorithms: RS256, keys: one.json}
              - {issuer: b, audiences: a, algorithms: RS256, keys: two.json}
            rules: [{name: rider, kinds: driver, api_keys: dispach, ids: {vehicleID: any}}, {kinds: server}]
            """
        let file = try folder.write("token-provider.yaml", Array(yaml.utf8))
        let report = CheckReport(
            Configuration.read(file: file, flags: ConfigurationFlags(), environment: onlyCredentials))
        let missing = "cannot be opened: No such file or directory"
        let expected: [String] = [
            "\(file):5:81: rules[1]: name is missing; expected the rule's name",
            "\(file):5:38: rules[0].api_keys: the rule rider names the API key dispach, which is not in \(keys); "
                + "did you mean \"dispatch\"?",
            "\(keys): line 1: the key dispatch is restricted to the rule riders, which is not in rules; did you mean "
                + "\"rider\"?",
            "\(folder.path("one.json")): \(missing)", "\(folder.path("two.json")): \(missing)",
        ]
        #expect(report.errors.filter { !$0.hasPrefix("/keys/google.json") } == expected)
    }

    @Test func `refused rules cause no errors about API keys`() throws {
        let folder = try Scratch()
        let line = "dispatch sha256:\(String(repeating: "0a", count: 32)) rules=a\n"
        _ = try folder.write("keys", Array(line.utf8))
        let yaml = "api_keys: {file: keys}\nrules: [{name: a, kinds: admin}]"
        let file = try folder.write("token-provider.yaml", Array(yaml.utf8))
        let report = CheckReport(
            Configuration.read(file: file, flags: ConfigurationFlags(), environment: onlyCredentials))
        #expect(report.errors.filter { !$0.hasPrefix("/keys/google.json") }.count == 1)
        #expect(report.errors.first?.hasPrefix("\(file):2:19: rules[0].kinds: \"admin\" is unknown") == true)
    }

    @Test func `a disabled kind lists the settings that enable it`() {
        let environment = ["TOKEN_PROVIDER_KINDS_DRIVER_CREDENTIALS": "/nowhere/key.json"]
        func settings(_ report: CheckReport) -> [[String]] {
            (report.served?.kinds ?? []).compactMap { checked in
                checked.absence?.settings(of: checked.kind)
            }
        }
        let others = TokenKind.allCases.filter { $0 != .driver }
        let keys = others.map { "kinds.\($0.rawValue).credentials" }
        #expect(settings(report(environment)) == keys.map { [$0] })
        let onlyDriver = ConfigurationFlags(kinds: ["driver"])
        #expect(settings(report(environment, onlyDriver)) == keys.map { ["kinds.enabled", $0] })
        let common = report(["TOKEN_PROVIDER_CREDENTIALS": "/nowhere/key.json"], onlyDriver)
        #expect(settings(common) == Array(repeating: ["kinds.enabled"], count: 9))
        #expect(CheckText(isColoured: false).text(common).contains("-> kinds.enabled turns it on\n"))
        let both = CheckText(isColoured: false).text(report(environment, onlyDriver))
        #expect(both.contains("-> kinds.enabled and kinds.server.credentials turn it on\n"))
    }

    @Test func `the text report names the service manager's sockets`() throws {
        let socket = ListenerTakeover.Socket(name: "http", address: try SocketAddress("127.0.0.1:9090"))
        let report = CheckReport(
            Configuration.read(
                file: nil, flags: ConfigurationFlags(), environment: withoutAuthentication, inheriting: [socket]))
        let text = CheckText(isColoured: false).text(report)
        #expect(text.contains("\n\nSockets\nthe service manager passes the socket 127.0.0.1:9090\n\n"))
    }

    @Test func `the text report counts errors, and the JSON report lists them`() {
        let report = report(["TOKEN_PROVIDER_KINDS_DRIVER_CREDENTIALS": "/nowhere/key.json"])
        let text = CheckText(isColoured: true).text(report)
        #expect(text.contains("\n\u{1B}[31mbroken\u{1B}[0m  driver\n        -> /nowhere/key.json cannot be used\n"))
        #expect(text.hasSuffix("\n\n\u{1B}[31mserve would not start, for one reason.\u{1B}[0m"))
        let json = report.json
        #expect(
            json.hasPrefix(
                #"{"starts":false,"service":null,"errors":["\#(Self.missing)"],"warnings":[],"fetched":[],"listen":["http://127.0"#
            ))
        #expect(
            json.contains(
                #"{"kind":"driver","role":"roles/fleetengine.driverSdkUser","state":"broken","account":null,"kid":null,"#
                    + #""file":"/nowhere/key.json","lifetime":null,"settings":null}"#))
    }
}
