import Foundation
import TestSupport
import Testing

/// Issuers that publish certificates in place of a JWK set: OpenSSL makes them, and PyJWT signs tokens.
@Suite(.blocking) struct PublishedCertificateTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    /// The path of a new key, and its certificate, which expired long ago if the time is one of long ago.
    private func certified(_ name: String, at time: String? = nil) throws -> (key: String, certificate: String) {
        let (key, path) = (files.scratch.path("\(name).pem"), files.scratch.path("\(name).crt"))
        let make = [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "16", "-subj", "/CN=\(name)",
            "-keyout",
            key, "-out", path,
        ]
        let command = (time.map { ["faketime", $0] } ?? []) + make
        try Program.mustRun(command[0], Array(command.dropFirst()))
        return (key, try files.scratch.text("\(name).crt"))
    }

    private func cookie(_ key: String, _ kid: String, _ changes: String = "{}") throws -> String {
        try #require(try PythonClients.runVerifier("session_cookie.py", [key, kid, changes])["token"] as? String)
    }

    /// Asks the daemon and `explain`, which must agree.
    private func isAllowed(_ token: String, _ daemon: DaemonProcess, _ config: String) throws -> Bool {
        let status = try Curl("\(daemon.url)/token?vehicleID=vehicle-1", bearer: token).status
        let explained = try Program.run(
            Program.daemon, ["explain", "--config", config, "--as", token, "--vehicle", "vehicle-1"])
        #expect((status == 200) == (explained.status == 0) && [200, 401].contains(status), "\(explained.output)")
        return status == 200
    }

    private func block(keys: String) throws -> String {
        let block = try #require(
            try DocumentedBlock.all().first {
                ($0.page, $0.section, $0.language) == ("IdentityProviders", "Firebase session cookies", "yaml")
            })
        let text = block.text.replacing(#/keys: https\S+/#, with: "keys: \(keys)")
        return try files.scratch.write(
            "token-provider.yaml",
            "listen: 127.0.0.1:0\ncredentials: key.json\n\(text)\nlimits: {failure_rate: 0}\n")
    }

    @Test func `Firebase session cookies are verified by the certificates of their kid`() throws {
        let (current, expired) = (try certified("current"), try certified("expired", at: "2020-01-01"))
        let provider = try KeyServer()
        defer { provider.end() }
        let published = ["one": current.certificate, "two": expired.certificate, "three": "-----BEGIN garbage"]
        _ = try Curl(
            "\(provider.url)/publish",
            ["-d", String(decoding: JSONSerialization.data(withJSONObject: published), as: UTF8.self)])
        let config = try block(keys: "\(provider.url)/jwks")
        let daemon = try DaemonProcess(["serve", "--config", config], scratch: files.scratch)
        for (key, kid) in [(current, "one"), (expired, "two")] {
            #expect(try isAllowed(cookie(key.key, kid), daemon, config))
        }
        let wrong = [
            (current.key, "two", "{}"), (expired.key, "one", "{}"), (current.key, "three", "{}"),
            (current.key, "", "{}"),
            (current.key, "one", #"{"aud": "other"}"#), (current.key, "one", #"{"exp": 1}"#),
            (current.key, "one", #"{"iss": "https://securetoken.google.com/my-fleet"}"#),
            (current.key, "one", #"{"iss": "https://session.firebase.google.com/other"}"#),
        ]
        for (key, kid, changes) in wrong {
            #expect(try !isAllowed(cookie(key, kid, changes), daemon, config), "\(kid) \(changes)")
        }
        let checked = try Program.run(Program.daemon, ["check", "--online", "--config", config])
        #expect(checked.status == 0 && (checked.output + checked.errors).contains("of the set is truncated"))
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("of the set is truncated"))
    }

    @Test func `keys in a PEM file verify tokens of any kid`() throws {
        let (one, two, other) = (try certified("one"), try certified("two"), try certified("other"))
        try files.scratch.write("keys.pem", one.certificate + two.certificate)
        let config = try block(keys: "keys.pem")
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        for key in [one.key, two.key] { #expect(try isAllowed(cookie(key, "any"), daemon, config)) }
        #expect(try !isAllowed(cookie(other.key, "any"), daemon, config))
        // A replaced file is read by a reload.
        try files.scratch.write("keys.pem", other.certificate)
        #expect(try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()]).status == 0)
        #expect(try isAllowed(cookie(other.key, "any"), daemon, config))
        #expect(try !isAllowed(cookie(one.key, "any"), daemon, config))
    }
}
