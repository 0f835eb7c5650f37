import TestSupport
import Foundation
import Testing

/// Which certificates, chains and OCSP responses clients get from the real binary.
@Suite(.blocking, .tags(.addressSanitizer)) struct CertificateTests {
    private static let reloaded = "the configuration was reloaded"
    private static let server = ["extendedKeyUsage = serverAuth", "subjectAltName = DNS:localhost"]

    let files: TLSFiles

    init() throws { files = try TLSFiles() }

    /// The output of `openssl s_client` for a server name.
    private func shown(_ url: String, _ name: String = "localhost") throws -> String {
        let port = url.split(separator: ":").last ?? ""
        return try Child.mustRun([
            "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", files.authority.path, "-servername",
            name,
            "-status", "-verify_return_error",
        ])
    }

    /// Runs `check` on the configuration.
    private func checked() throws -> Outcome {
        try Program.run(Program.daemon, ["check", "--json", "--config", files.scratch.path("token-provider.yaml")])
    }

    // MARK: Chains

    @Test func `a certificate with a foreign chain does not replace the current one`() throws {
        let (daemon, url) = try files.daemon()
        let own = try files.authority.bytes("server.pem")
        let leaf = own.dropLast(try files.authority.bytes("middle.pem").count)
        let wrong = String(decoding: try leaf + TestAuthority().bytes("middle.pem"), as: UTF8.self)
        let path = try files.scratch.write("server.pem", wrong)
        daemon.process.send(SIGHUP)
        let sentence =
            "\(path): has CN=middle in place 2, which did not issue and sign the certificate before it; expected "
            + "the server's own first, and each followed by its issuer's"
        try daemon.waitForLog("not reloaded; the previous configuration stays reason=\"\(sentence)\"")
        #expect(try files.ask(url).status == 200)
        let outcome = try checked()
        #expect(outcome.status == 78)
        #expect((outcome.output + outcome.errors).contains(sentence))
    }

    @Test func `check and readyz warn of a certificate without a subject alternative name`() throws {
        try files.authority.certify("nameless", for: [])
        try files.install("nameless.pem", as: "server.pem")
        try files.install("nameless.key", as: "server.key")
        let (daemon, _) = try files.daemon(DaemonProcess.withAdmin)
        let warning = "server.pem: the certificate has no subject alternative name, so clients accept it for no host"
        let outcome = try checked()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(warning))
        #expect(try Curl("\(daemon.adminURL())/readyz").body.contains(warning))
    }

    @Test func `a certificate without its chain serves with a warning`() throws {
        let own = try files.authority.bytes("server.pem")
        let leaf = own.dropLast(try files.authority.bytes("middle.pem").count)
        let path = try files.scratch.write("server.pem", String(decoding: leaf, as: UTF8.self))
        let warning =
            "\(path): the certificate of its issuer CN=middle is missing, so clients that do not have it will refuse "
            + "the connection; expected the whole chain"
        let (daemon, url) = try files.daemon()
        try daemon.waitForLog(warning)
        #expect(try checked().json()["warnings"] as? [String] == [warning])
        #expect(throws: ChildError.self) { try files.ask(url) }
        #expect(try Curl("\(url)/healthz", ["-k"]).status == 200)
    }

    @Test func `an expired authority in the chain is reported like an expired certificate`() throws {
        let day = 86_400
        let authority = files.authority
        try authority.issue(
            "old", ["basicConstraints = critical, CA:TRUE"], by: ["ca"], Validity(from: -40 * day, until: 600 - 8 * day)
        )
        try authority.issue("server", Self.server, by: ["old"])
        for name in ["server.pem", "server.key"] { try files.install(name) }
        let (daemon, url) = try files.daemon(DaemonProcess.withAdmin)
        let sentence =
            "\(files.scratch.path("server.pem")): its authority CN=old in place 2 expired 7 days ago, "
            + "so clients will not accept it"
        try daemon.waitForLog(sentence)
        let answer = try Curl("\(daemon.adminURL())/readyz")
        #expect(answer.status == 503)
        let json = try answer.json()
        #expect((json["checks"] as? [String: String])?["certificates"] == sentence)
        #expect(
            try daemon.cure(of: "certificates")
                == "install the renewed certificate and its chain\ntoken-provider reload")
        #expect(json["warnings"] as? [String] == [sentence])
        #expect(json["certificate_days"] as? Int == -7)
        #expect(try checked().json()["warnings"] as? [String] == [sentence])
        let left = try Scrape(daemon.adminURL()).sum("certificate_remaining_seconds", "server.pem")
        #expect((-8 * Double(day)...(-7 * Double(day))).contains(left))
        let life = try Scrape(daemon.adminURL()).sum("certificate_lifetime_seconds", "server.pem")
        #expect(abs(life - Double(32 * day + 600)) < 60)
        #expect(throws: ChildError.self) { try files.ask(url) }
        // The current certificate has the same fault, so this one is accepted.
        #expect(try reload(daemon).status == 0)
    }

    private func reload(_ daemon: DaemonProcess) throws -> Outcome {
        try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()])
    }

    private func replaceServer(by name: String) throws {
        for end in ["pem", "key"] { try files.install("\(name).\(end)", as: "server.\(end)") }
    }

    @Test func `an expired or future certificate does not replace a valid one`() throws {
        let authority = files.authority
        try authority.issue("over", Self.server, Validity(from: -7200, until: -3700))
        try authority.issue("early", Self.server, Validity(from: 7000, until: 9000))
        let isAuthority = ["basicConstraints = critical, CA:TRUE"]
        try authority.issue("old", isAuthority, by: ["ca"], Validity(from: -7200, until: -3700))
        try authority.issue("below", Self.server, by: ["old"])
        let (daemon, url) = try files.daemon(DaemonProcess.withAdmin)
        let (own, time) = ("the certificate", /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/)
        for (name, subject, failure) in [
            ("over", own, "expired 1 hour ago"),
            ("early", own, "becomes valid in 1 hour"),
            ("below", "its authority CN=old in place 2", "expired 1 hour ago"),
        ] {
            try replaceServer(by: name)
            #expect(try reload(daemon).status == 1)
            let readiness = try Curl("\(daemon.adminURL())/readyz")
            #expect(readiness.status == 200)
            let errors = try #require(try readiness.json()["reload_errors"] as? [String])
            #expect(
                errors.map { $0.replacing(time, with: "TIME") } == [
                    "\(files.scratch.path("server.pem")): \(subject) \(failure), so clients will not accept it "
                        + "(TIME); expected a certificate that is valid now, as the current one is"
                ])
            #expect(try files.ask(url).status == 200)
            #expect(try shown(url).contains("\nsubject=CN = server\n"), "\(name)")
        }
        try authority.certify("second")
        try replaceServer(by: "second")
        #expect(try reload(daemon).status == 0)
        #expect(try Curl("\(daemon.adminURL())/readyz").json()["reload_errors"] == nil)
        #expect(try shown(url).contains("\nsubject=CN = second\n"))
    }

    @Test func `reload refuses an expired certificate in an added or different file`() throws {
        let added = "{certificate: over.pem, key: over.key}"
        let said = "the certificate expired 1 hour ago"
        try files.authority.issue("over", Self.server, Validity(from: -7200, until: -3700))
        for name in ["over.pem", "over.key"] { try files.install(name) }
        let (daemon, url) = try files.daemon(DaemonProcess.withAdmin)
        for certificates in [added, "\(TLSFiles.certificate), \(added)", "\(added), \(TLSFiles.certificate)"] {
            _ = try files.configuration(certificates)
            let outcome = try reload(daemon)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("\(files.scratch.path("over.pem")): \(said)"))
            #expect(try files.ask(url).status == 200)
        }
    }

    // MARK: OCSP responses

    @Test func `each reload serves the current OCSP response and drops an expired one`() throws {
        let (authority, path) = (files.authority, files.scratch.path("server.der"))
        func installResponse(_ signer: String? = nil, _ shift: String = "+0") throws {
            try authority.staple(for: "server", signer: signer, shift: shift)
            try files.install("server.der")
        }
        try installResponse()
        let (daemon, url) = try files.daemon(
            DaemonProcess.withAdmin,
            certificates: "{certificate: server.pem, key: server.key, ocsp_response: server.der}")
        func remaining() throws -> Double {
            try Scrape(daemon.adminURL()).sum("ocsp_response_remaining_seconds", "server.pem")
        }
        #expect(try shown(url).contains("Cert Status: good"))
        #expect((80_000...86_400).contains(try remaining()))
        let days = try Curl("\(daemon.adminURL())/readyz").json()["ocsp_response_days"] as? Int
        #expect([0, 1].contains(days))

        // An expired response is not sent, and clients are served all the same.
        try installResponse(nil, "-3d")
        daemon.process.send(SIGHUP)
        let warning = "\(path): the OCSP response expired 2 days ago, so it is not shown"
        try daemon.waitForLog(warning)
        try daemon.waitForLog(Self.reloaded)
        #expect(try shown(url).contains("OCSP response: no response sent"))
        let readiness = try Curl("\(daemon.adminURL())/readyz")
        #expect(readiness.status == 200)
        #expect(try readiness.json()["ocsp_response_days"] as? Int == -2)
        #expect(try readiness.json()["warnings"] as? [String] == [warning])
        #expect((-2 * 86_400 - 600 ... -2 * 86_400).contains(try remaining()))
        #expect(try checked().json()["warnings"] as? [String] == [warning])

        try installResponse()
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded, times: 2)
        #expect(try shown(url).contains("Cert Status: good"))

        let other = try TestAuthority()
        try installResponse(other.path("middle"))
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("reason=\"\(path): is not signed by CN=middle or a responder that it authorised (")
        #expect(try shown(url).contains("Cert Status: good"))
        #expect(try checked().status == 78)
    }

    @Test func `an OCSP response that expires is sent no longer`() throws {
        try files.authority.staple(for: "server", signer: nil, shift: "+0")
        try files.install("server.der")
        let clock = try SuspendedClock(in: files.scratch)
        let (daemon, url) = try files.daemon(
            clock.environment, certificates: "{certificate: server.pem, key: server.key, ocsp_response: server.der}")
        #expect(try shown(url).contains("Cert Status: good"))
        try clock.set(3 * 86_400)
        #expect(try shown(url).contains("OCSP response: no response sent"))
        #expect(try daemon.end() == 0)
    }

    // MARK: Several files

    @Test func `a key with a new passphrase is reloaded with its passphrase file`() throws {
        let authority = files.authority
        func install(_ name: String, _ passphrase: String) throws {
            try authority.encrypt(name, passphrase: passphrase)
            try files.install("\(name).enc", as: "server.key")
            try files.install("\(name).pem", as: "server.pem")
        }
        try install("server", "correct horse")
        try files.scratch.write("pass", "correct horse\n")
        let (daemon, url) = try files.daemon(
            certificates: "{certificate: server.pem, key: server.key, passphrase_file: pass}")
        #expect(try shown(url).contains("\nsubject=CN = server\n"))
        try authority.certify("second")
        try install("second", "battery staple")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("cannot be decrypted with the passphrase in \(files.scratch.path("pass"))")
        #expect(try shown(url).contains("\nsubject=CN = server\n"))
        try files.scratch.write("pass", "battery staple\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        #expect(try shown(url).contains("\nsubject=CN = second\n"))
        let log = try daemon.log()
        for secret in ["correct horse", "battery staple"] { #expect(!log.contains(secret)) }
    }

    @Test func `SNI selects one of several certificates, and the first is the default`() throws {
        try files.authority.certify("other", for: ["other.test", "*.wild.test"])
        for name in ["other.pem", "other.key"] { try files.install(name) }
        let (daemon, url) = try files.daemon(
            certificates: "\(TLSFiles.certificate), {certificate: other.pem, key: other.key}")
        let wanted = ["localhost": "server", "other.test": "other", "a.wild.test": "other", "unknown.test": "server"]
        for (name, owner) in wanted { #expect(try shown(url, name).contains("\nsubject=CN = \(owner)\n"), "\(name)") }
        let port = url.split(separator: ":").last ?? ""
        let resolved = ["--cacert", files.authority.path, "--resolve", "other.test:\(port):127.0.0.1"]
        #expect(try Curl("https://other.test:\(port)/token?tripID=trip-1", resolved).status == 200)
        try files.authority.certify("third", for: ["other.test"])
        for end in ["pem", "key"] { try files.install("third.\(end)", as: "other.\(end)") }
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        let renewed = ["localhost": "server", "other.test": "third", "a.wild.test": "server"]
        for (name, owner) in renewed { #expect(try shown(url, name).contains("\nsubject=CN = \(owner)\n"), "\(name)") }
    }
}
