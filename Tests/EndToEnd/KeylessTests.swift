import TestSupport
import Foundation
import Testing

/// Tokens that Google signs, asked for with each type of credentials, against a Google on loopback.
@Suite(.blocking) struct KeylessTests {
    static let driver = "driver-tokens@my-fleet.iam.gserviceaccount.com"

    let scratch: Scratch
    let google: LoopbackGoogle

    init() throws {
        scratch = try Scratch(inMemory: true)
        google = try LoopbackGoogle(in: scratch)
    }

    func daemon(
        _ credentials: String, signAs: String? = driver, environment: [String: String] = [:],
        settings: String = ""
    ) throws -> DaemonProcess {
        let config = try configure(credentials, signAs, settings)
        return try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0", "--config", config],
            environment: ["GOOGLE_APPLICATION_CREDENTIALS": ""].merging(DaemonProcess.withAdmin) { $1 }.merging(
                environment
            ) { $1 },
            scratch: scratch)
    }

    /// Writes the configuration; returns its path.
    private func configure(_ credentials: String, _ signAs: String?, _ settings: String) throws -> String {
        let account = signAs.map { "sign_as: \($0)\n" } ?? ""
        let named = credentials.isEmpty ? "" : "credentials: \(credentials)\n"
        return try scratch.write(
            "token-provider.yaml", "callers: none\n\(named)\(account)\(settings)\(google.settings)")
    }

    /// Has a daemon take another configuration.
    func reload(_ daemon: DaemonProcess, _ credentials: String, signAs: String?, settings: String) throws {
        _ = try configure(credentials, signAs, settings)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
    }

    func token(_ daemon: DaemonProcess, _ query: String = "vehicleID=v-1") throws -> String {
        let answer = try Curl("\(daemon.url)/token?\(query)")
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(try answer.json()["VEHICLE_TOKEN_KEY"] as? String)
    }

    @Test func `the machine's account signs its own tokens without sign_as`() throws {
        let environment = ["GCE_METADATA_HOST": google.host, "HOME": scratch.path("home")]
        let daemon = try daemon("application_default", signAs: nil, environment: environment)
        let token = try token(daemon)
        #expect(
            try JSONWebToken.claims(of: token)["iss"] as? String == "token-provider@my-fleet.iam.gserviceaccount.com")
        #expect(try google.requests("computeMetadata") > 0)
    }

    @Test func `a second request for a vehicle does not ask Google again`() throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        let first = try token(daemon)
        #expect(try token(daemon) == first)
        #expect(try google.requests("signJwt") == 1)
    }

    @Test func `a missing role is logged, and the client retries later`() throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        try google.fail(#"[{"fault": "permission_denied", "path": "signJwt"}]"#)
        let answer = try Curl("\(daemon.url)/token?vehicleID=v-1")
        #expect(answer.status == 503)
        #expect(answer.fields["retry-after"] != nil)
        try daemon.waitForLog("roles/iam.serviceAccountTokenCreator")
        try google.fail("[]")
        _ = try token(daemon, "vehicleID=v-2")
    }

    @Test(arguments: [
        "wrong_signature", "changed_claim", "extra_claim", "unknown_kid", "wrong_algorithm", "garbage", "cut_off",
    ])
    func `an answer that was not asked for reaches no client`(fault: String) throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        try google.fail(#"[{"fault": "\#(fault)", "path": "signJwt"}]"#)
        let answer = try Curl("\(daemon.url)/token?vehicleID=v-1")
        #expect(answer.status == 503)
        #expect(try answer.json()["code"] as? String == "signing_unavailable")
    }

    @Test func `cached tokens are served while Google is down`() throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        let first = try token(daemon)
        try google.fail(#"[{"fault": "unavailable"}]"#)
        #expect(try token(daemon) == first)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-2").status == 503)
    }

    @Test func `a key that Google rotates is followed`() throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        let first = try token(daemon)
        try google.rotate(Self.driver)
        let second = try token(daemon, "vehicleID=v-2")
        #expect(
            try JSONWebToken.header(of: first)["kid"] as? String != JSONWebToken.header(of: second)["kid"] as? String)
    }

    @Test func `a reload switches from a key file to keyless signing`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try daemon(key.path, signAs: nil)
        #expect(try JSONWebToken.claims(of: token(daemon))["iss"] as? String == key.account)
        let credentials = try #require(google.files["authorized_user"])
        try scratch.write(
            "token-provider.yaml",
            "callers: none\ncredentials: \(credentials)\nsign_as: \(Self.driver)\n\(google.settings)")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try JSONWebToken.claims(of: token(daemon))["iss"] as? String == Self.driver)
    }

    @Test func `credentials without an account need sign_as`() throws {
        let path = try #require(google.files["authorized_user"])
        let config = try scratch.write("c.yaml", "callers: none\ncredentials: \(path)\n\(google.settings)")
        let outcome = try Program.run(Program.daemon, ["check", "--config", config])
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.contains("\(path): has no service account; expected sign_as: EMAIL"), "\(outcome.errors)")
    }

    @Test func `a key that signs here may name any token_uri`() throws {
        let path = try #require(google.files["service_account"])
        let config = try scratch.write("c.yaml", "callers: none\ncredentials: \(path)\n")
        #expect(try Program.run(Program.daemon, ["check", "--config", config]).status == 0)
        try scratch.write("c.yaml", "callers: none\ncredentials: \(path)\nsign_as: \(Self.driver)\n")
        let remote = try Program.run(Program.daemon, ["check", "--config", config])
        #expect(remote.status == 78)
        #expect(remote.errors.contains("token_uri"), "\(remote.errors)")
    }

    @Test func `mint without a key file names the reason`() throws {
        let path = try #require(google.files["authorized_user"])
        let config = try scratch.write(
            "c.yaml", "callers: none\ncredentials: \(path)\nsign_as: \(Self.driver)\n\(google.settings)")
        let outcome = try Program.run(Program.daemon, ["mint", "--config", config, "--vehicle", "v-1"])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("Google signs driver tokens (\(Self.driver))"), "\(outcome.errors)")
    }
}
