import Foundation
import TestSupport
import Testing

/// Callers' credentials and tokens appear only in their requests and answers.
@Suite(.blocking, .tags(.addressSanitizer)) struct CallerSecretTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test(arguments: ["text", "json"])
    func `keys and tokens appear in no log, error, command line or environment`(
        format: String
    ) throws {
        let key = try files.apiKey("dispatch")
        let expired = try files.apiKey("expired", field: "expires=2020-01-01T00:00:00Z")
        let unknown = String(key.dropLast(20)) + String(expired.suffix(20))
        let token = try files.token(["trips": ["trip-1"], "secret_claim": "canary-claim"])
        let foreign = try files.token(["exp": 1], by: files.key)
        let daemon = try files.daemon(Self.sections, ["--log-level", "trace", "--log-format", format])
        var errors = ""
        var minted: [String] = []
        for credentials in [key, token, expired, unknown, foreign, "canary-word"] {
            for target in ["?tripID=trip-1", "?tripID=trip-1", "?tripID=trip-2", "/driver/a", "?tripID=*", "?x=1"] {
                for field in [
                    "Authorization: Bearer \(credentials)", "X-API-Key: \(credentials)",
                    "Authorization: \(credentials)",
                ] {
                    let answer = try Curl("\(daemon.url)/token\(target)", ["-H", field])
                    if answer.status != 200 { errors += answer.body + "\(answer.fields)" }
                    if let token = try answer.json()["TRIP_TOKEN_KEY"] as? String { minted.append(token) }
                }
            }
        }
        let place = "/proc/\(daemon.process.identifier)/"
        errors += try String(contentsOfFile: place + "cmdline", encoding: .utf8)
        // Only root can read it.
        errors += (try? String(contentsOfFile: place + "environ", encoding: .utf8)) ?? ""
        #expect(try daemon.end() == 0)
        let output = try errors + daemon.log() + daemon.said + files.scratch.text("audit")
        #expect(minted.count >= 4)
        #expect(output.contains("refused") && output.contains(#""outcome":"minted""#))
        let tokens = ([token, foreign] + minted).flatMap { $0.split(separator: ".").map(String.init).dropFirst() }
        let pem = (files.key.pem + files.issuerKey.pem).split(separator: "\n").map(String.init).filter {
            !$0.contains("-----")
        }
        for secret in [key, expired, unknown].map({ String($0.dropFirst(4).prefix(20)) }) + tokens + pem {
            #expect(!output.contains(secret), "it contains \(secret)")
        }
        #expect(!output.contains("canary"))
    }

    @Test func `explain reads a token from standard input and prints none of it`() throws {
        _ = try files.apiKey("dispatch")
        let token = try files.token(["trips": ["trip-1"], "secret_claim": "canary-claim"])
        let configuration = try files.configuration(Self.sections)
        let flags = ["explain", "--config", configuration, "--as", "-", "--trip"]
        for (trip, status) in [("trip-1", 0), ("trip-2", 1)] {
            let outcome = try Program.run(Program.daemon, flags + [trip], input: token + "\n")
            #expect(outcome.status == status)
            #expect(outcome.errors == "")
            #expect(outcome.output.contains("riders"))
            for part in token.split(separator: ".") { #expect(!outcome.output.contains(part)) }
            #expect(!outcome.output.contains("canary"))
        }
    }

    private static let sections = """
        rules:
          - {name: riders, kinds: [consumer], issuers: ["https://id.example.com"], ids: {tripID: {claim: trips}}}
          - {name: dispatch, kinds: [consumer], api_keys: [dispatch], ids: {tripID: [trip-1]}}
        limits: {principal_rate: 0, failure_rate: 0}
        audit: {output: file, file: audit}
        """
}
