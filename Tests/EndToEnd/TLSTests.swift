import TestSupport
import Foundation
import Testing

/// https, with the real binary and real clients.
@Suite(.blocking, .tags(.addressSanitizer)) struct TLSTests {
    let files: TLSFiles

    init() throws { files = try TLSFiles() }

    @Test func `a client of HTTP/1.0 is served over https`() throws {
        let (daemon, url) = try files.daemon()
        #expect(try files.ask(url, ["--http1.0"]).status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test func `a token is served over https and over plain http`() throws {
        let (daemon, url) = try files.daemon()
        let answer = try files.ask(url)
        #expect(answer.status == 200)
        #expect(try answer.json()["TRIP_TOKEN_KEY"] is String)
        #expect(try Curl("\(daemon.url)/token?tripID=trip-1").status == 200)
        #expect(try daemon.end() == 0)
        #expect(throws: ChildError.self) { try Curl(url + "/healthz") }
    }

    @Test func `plain http to the https port gets a problem response`() throws {
        let (daemon, url) = try files.daemon()
        let answer = try Curl(url.replacing("https", with: "http") + "/healthz")
        #expect(answer.status == 400)
        #expect(try answer.json()["code"] as? String == "plain_request")
        #expect(try daemon.end() == 0)
    }

    @Test func `openssl s_client gets a token over HTTP/1.1`() throws {
        let (daemon, url) = try files.daemon()
        let address = try #require(url.split(separator: "//").last)
        let outcome = try Child.run(
            ["openssl", "s_client", "-connect", String(address), "-CAfile", files.authority.path, "-alpn", "http/1.1"]
                + ["-verify_return_error", "-ign_eof"],
            input: "GET /token?tripID=trip-1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(outcome.output.contains("ALPN protocol: http/1.1"))
        #expect(outcome.output.contains(#"{"TRIP_TOKEN_KEY":""#))
        #expect(try daemon.end() == 0)
    }

    // MARK: Reload

    /// Open connections stay open, new clients are served, and no client has to retry.
    @Test(arguments: [("HTTP/1.1", "http/1.1", ["--h1"]), ("HTTP/2", "h2", [])])
    func `a hundred certificate reloads under load lose no request or connection`(
        version: String, alpn: String, flags: [String]
    ) throws {
        // The log level suppresses the line for each request.
        let (daemon, url) = try files.daemon(["TOKEN_PROVIDER_LOG_LEVEL": "notice"])
        try files.authority.certify("second")
        let (enough, asked) = (files.scratch.path("enough"), try OutputPipe())
        let client = try Child(
            PythonClients.verifier("reloaded_certificates.py", [url, files.authority.path, version, enough]),
            output: .pipe(asked))
        // Each of many rounds opens new connections, all of them busy.
        let script = #"while [ ! -e "$0" ]; do "$@" || exit; done"#
        let round = ["h2load", "-n", "2000", "-c", "8", "-m", "8"] + flags + ["\(url)/token?tripID=trip-1"]
        let load = try Child(["sh", "-c", script, enough] + round, output: .file(files.scratch.path("rounds")))
        #expect(try asked.read { $0.contains("asking\n") } == "asking\n")
        for number in 1...100 {
            let name = number.isMultiple(of: 2) ? "server" : "second"
            for suffix in ["key", "pem"] { try files.install("\(name).\(suffix)", as: "server.\(suffix)") }
            daemon.process.send(SIGHUP)
            try daemon.waitForLog("the configuration was reloaded", times: number)
        }
        try files.scratch.write("enough", "")
        let facts = try #require(JSONSerialization.jsonObject(with: Data(asked.read().utf8)) as? [String: Any])
        #expect(try client.wait() == 0, "\(facts)")
        #expect(facts["names"] as? [String] == ["second", "server"])
        #expect(try #require(facts["rounds"] as? Int) > 20)
        #expect(try load.wait() == 0)
        let rounds = try files.scratch.text("rounds")
        let sound = rounds.ranges(of: "2000 succeeded, 0 failed, 0 errored, 0 timeout").count
        #expect(sound > 2 && sound == rounds.ranges(of: "finished in").count, "\(rounds)")
        #expect(rounds.ranges(of: "Application protocol: \(alpn)\n").count == sound)
        #expect(try daemon.end() == 0)
    }

    @Test func `broken new files keep the previous certificate and log the reason`() throws {
        let (daemon, url) = try files.daemon()
        try files.authority.certify("other")
        try files.install("other.key", as: "server.key")
        daemon.process.send(SIGHUP)
        let path = files.scratch.path("server")
        try daemon.waitForLog(
            "not reloaded; the previous configuration stays reason=\"\(path).key: is not the key of the certificate in "
                + "\(path).pem; expected the two to belong together\"")
        #expect(try files.ask(url).status == 200)
        try files.scratch.write("server.pem", "")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("server.pem: is empty; expected ")
        #expect(try files.ask(url).status == 200)
    }

    // MARK: Files that cannot be used

    private func refusal(_ certificates: String? = nil) throws -> [String] {
        let config = try certificates.map { try files.configuration($0) } ?? files.configuration()
        let outcome = try Program.run(Program.daemon, ["serve", "--config", config])
        #expect(outcome.status == 78)
        let checked = try Program.run(Program.daemon, ["check", "--config", config])
        #expect(checked.status == 78)
        #expect(checked.sentences == outcome.sentences)
        return outcome.sentences
    }

    @Test func `serve and check refuse a writable or mismatched private key`() throws {
        try files.install("server.key", permissions: 0o620)
        let key = files.scratch.path("server.key")
        #expect(
            try refusal() == [
                "\(key): others can write this file and so choose the key; expected chmod go-w, or better chmod 600"
            ])
        try files.authority.certify("other", .rsa)
        try files.install("other.key", as: "server.key")
        #expect(
            try refusal() == [
                "\(key): is not the key of the certificate in \(files.scratch.path("server.pem")); expected the two to "
                    + "belong together"
            ])
    }

    @Test func `all errors in certificate files are reported at once`() throws {
        let sentences = try refusal(
            "{certificate: nowhere.pem, key: server.key}, {certificate: server.pem, key: nowhere.key}")
        let folder = files.scratch.folder.path
        #expect(
            sentences == [
                "\(folder)/nowhere.pem: cannot be opened: No such file or directory",
                "\(folder)/nowhere.key: cannot be opened: No such file or directory",
            ])
    }

    @Test func `an encrypted key is usable only with its passphrase file`() throws {
        try files.authority.encrypt("server", passphrase: "correct horse")
        try files.install("server.enc", as: "server.key")
        try files.scratch.write("pass", "correct horse\n")
        let config = try files.configuration(
            "{certificate: server.pem, key: server.key, passphrase_file: pass}")
        let daemon = try DaemonProcess(["serve", "--config", config], scratch: files.scratch)
        #expect(try files.ask(daemon.secureURL()).status == 200)
        #expect(
            try refusal() == [
                "\(files.scratch.path("server.key")): is encrypted; expected a passphrase file too"
            ])
    }

    @Test func `check lists https addresses and warns about a world-readable key`() throws {
        try files.install("server.key", permissions: 0o644)
        let outcome = try Program.run(Program.daemon, ["check", "--config", files.configuration(), "--json"])
        let json = try outcome.json()
        #expect(json["listen"] as? [String] == ["http://127.0.0.1:0", "https://127.0.0.1:0"])
        #expect(
            json["warnings"] as? [String] == [
                "\(files.scratch.path("server.key")): other users can read this file; "
                    + "expected chmod 600"
            ])
    }

    // MARK: Demo

    @Test func `demo --tls creates a certificate and prints a working curl command`() throws {
        let demo = try DaemonProcess(["demo", "--tls", "--listen", "127.0.0.1:0"])
        #expect(demo.url.hasPrefix("https://127.0.0.1:"))
        #expect(demo.said.contains("curl -k '\(demo.url)/token?tripID=trip-1'"))
        #expect(try Curl("\(demo.url)/token?tripID=trip-1", ["-k"]).status == 200)
        #expect(throws: ChildError.self) { try Curl("\(demo.url)/token?tripID=trip-1") }
    }
}
