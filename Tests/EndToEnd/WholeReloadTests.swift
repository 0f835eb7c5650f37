import TestSupport
import Foundation
import Testing

/// A reload of the whole configuration, including keys, with the real binary.
@Suite(.blocking, .tags(.threadSanitizer)) struct WholeReloadTests {
    let scratch: Scratch
    let key: ServiceAccountFile
    let other: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
        other = try ServiceAccountFile(in: scratch, name: "other", keyID: "fedcba9876543210fedcba9876543210fedcba98")
    }

    private func write(_ yaml: String, listen: String = "127.0.0.1:0") throws -> String {
        try scratch.write("new.yaml", "listen: \(listen)\ncallers: none\n\(yaml)")
        let path = scratch.path("token-provider.yaml")
        try #require(rename(scratch.path("new.yaml"), path) == 0)
        return path
    }

    private func daemon(_ yaml: String) throws -> DaemonProcess {
        try DaemonProcess(["serve", "--config", write(yaml)], environment: DaemonProcess.withAdmin, scratch: scratch)
    }

    private func reload(_ daemon: DaemonProcess) throws -> Outcome {
        try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()])
    }

    /// The id of the key that signed the current token.
    private func keyID(_ daemon: DaemonProcess) throws -> String {
        let token = try #require(try Curl("\(daemon.url)/token?tripID=a").json()["TRIP_TOKEN_KEY"] as? String)
        let header = try #require(token.split(separator: ".").first)
        let padded = header + String(repeating: "=", count: (4 - header.count % 4) % 4)
        let json = try JSONSerialization.jsonObject(with: #require(Data(base64Encoded: String(padded))))
        return try #require((json as? [String: Any])?["kid"] as? String)
    }

    @Test func `reloads under load, half of them broken, change only the token's key`() throws {
        let facts = try PythonClients.run(
            "reload_everything.py", [Program.daemon, scratch.folder.path, "100"])
        #expect(facts["reloads"] as? Int == 100)
        #expect((facts["wrong"] as? [Any])?.isEmpty == true)
        #expect(try #require(facts["answers"] as? Int) > 1000)
    }

    @Test func `reload --pid signals a daemon without an admin listener`() throws {
        let file = try write("credentials: key.json\nadmin: {listen: []}\n")
        let daemon = try DaemonProcess(["serve", "--config", file], scratch: scratch)
        let pid = "\(daemon.process.identifier)"
        let reload = { try Program.run(Program.daemon, ["reload"] + $0) }
        let outcome = try reload(["--config", file, "--pid", pid])
        #expect(outcome.status == 0)
        #expect(
            outcome.output == "no admin listener answers, so process \(pid) got SIGHUP; its log has the result\n")
        try daemon.waitForLog("the configuration was reloaded")
        // The configuration names another address by now.
        let moved = ["reload", "--config", file, "--pid"]
        let environment = ["TOKEN_PROVIDER_ADMIN_LISTEN": "unix:\(scratch.path("moved.sock"))"]
        #expect(try Program.run(Program.daemon, moved + [pid], environment: environment).status == 0)
        try daemon.waitForLog("the configuration was reloaded", times: 2)
        #expect(try Program.run(Program.daemon, Array(moved.dropLast()), environment: environment).status == 1)
        let gone = try Program.run(Program.daemon, moved + ["\(Int32.max)"], environment: environment)
        #expect(gone.status == 1)
        #expect(gone.errors.contains("process \(Int32.max) cannot be signalled: No such process"))
        #expect(try reload(["--pid", "0"]).status == 64)
    }

    @Test func `after a key rotation, cached tokens of the previous key are dropped`() throws {
        let daemon = try daemon("credentials: key.json\n")
        #expect(try keyID(daemon) == key.keyID)
        // A rotation replaces the file by a rename.
        try #require(rename(other.path, key.path) == 0)
        #expect(try keyID(daemon) == key.keyID)
        let outcome = try reload(daemon)
        #expect(outcome.status == 0)
        #expect(outcome.output == "reloaded\n")
        #expect(try keyID(daemon) == other.keyID)
        let keys = try Curl("\(daemon.adminURL())/.well-known/jwks.json").body
        #expect(keys.contains(other.keyID))
        #expect(!keys.contains(key.keyID))
    }

    @Test(arguments: [false, true])
    func `a key that changed under the same id invalidates cached tokens`(afterAnother: Bool) throws {
        let daemon = try daemon("credentials: key.json\n")
        let previous = try Curl("\(daemon.url)/token?tripID=a").body
        #expect(try Curl("\(daemon.url)/token?tripID=a").body == previous)
        if afterAnother {
            let other = try ServiceAccountFile(in: scratch, name: "other", keyID: "other")
            try #require(rename(other.path, key.path) == 0)
            #expect(try reload(daemon).status == 0)
        }
        let again = try ServiceAccountFile(in: scratch, name: "again", keyID: key.keyID)
        try #require(rename(again.path, key.path) == 0)
        #expect(try reload(daemon).status == 0)
        #expect(try Curl("\(daemon.url)/token?tripID=a").body != previous)
    }

    @Test func `a reload without a key change keeps cached tokens`() throws {
        let daemon = try daemon("credentials: key.json\n")
        let previous = try Curl("\(daemon.url)/token?tripID=a").body
        _ = try write("credentials: key.json\nlimits: {failure_burst: 3}\n")
        #expect(try reload(daemon).status == 0)
        #expect(try Curl("\(daemon.url)/token?tripID=a").body == previous)
    }

    @Test func `a reload reports settings that need a restart and applies the rest`() throws {
        let daemon = try daemon("credentials: key.json\n")
        _ = try write("credentials: key.json\nhttp: {loops: 3}\nkinds: {enabled: [driver]}\nlog: {level: error}\n")
        let outcome = try reload(daemon)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors
                == "token-provider: warning: http.loops changed; restart to apply\n")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 404)
        #expect(try Curl("\(daemon.url)/token?vehicleID=a").status == 200)
        let readiness = try Curl("\(daemon.adminURL())/readyz")
        #expect(readiness.status == 200)
        #expect(try readiness.json()["restart_for"] as? [String] != nil)
        #expect(try !daemon.log().contains("path=/token status=404"))
    }

    @Test func `changed listener addresses are reported, and the previous ones keep serving`() throws {
        let yaml = "credentials: key.json\nadmin: {listen: \"127.0.0.1:0\"}\n"
        // The file sets the admin address, so the variable that other tests set must be absent.
        let daemon = try DaemonProcess(
            under: ["-u", "TOKEN_PROVIDER_ADMIN_LISTEN"], ["serve", "--config", write(yaml)], scratch: scratch)
        _ = try write(
            yaml.replacing("127.0.0.1:0", with: "127.0.0.1:3") + "listeners: [{address: \"127.0.0.1:2\"}]\n",
            listen: "127.0.0.1:1")
        let outcome = try reload(daemon)
        #expect(outcome.status == 0)
        let warnings = ["listen", "listeners", "admin.listen"].map {
            "\($0) changed; restart to apply"
        }
        #expect(outcome.errors == warnings.map { "token-provider: warning: \($0)\n" }.joined())
        #expect(try Curl("\(daemon.adminURL())/readyz").json()["restart_for"] as? [String] == warnings)
        for warning in warnings { try daemon.waitForLog("reason=\"\(warning)\"\n") }
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
    }

    @Test func `a reload applies a new connection limit`() throws {
        let daemon = try daemon("credentials: key.json\n")
        let held = try PythonClients.start("hold_connection.py", ["127.0.0.1", daemon.port])
        defer { held.terminate() }
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        _ = try write("credentials: key.json\nhttp: {max_connections: 1}\n")
        #expect(try reload(daemon).errors == "")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 503)
    }

    @Test func `a broken file keeps the previous state; /readyz and reload report it`() throws {
        let daemon = try daemon("credentials: key.json\n")
        _ = try write("credentials: gone.json\n")
        let outcome = try reload(daemon)
        #expect(outcome.status == 1)
        let sentence = "\(scratch.path("gone.json")): cannot be opened: No such file or directory"
        #expect(outcome.errors == "token-provider: not reloaded: \(sentence); the previous configuration stays\n")
        let readiness = try Curl("\(daemon.adminURL())/readyz")
        #expect(readiness.status == 200)
        #expect(try readiness.json()["reload_errors"] as? [String] == [sentence])
        #expect(try keyID(daemon) == key.keyID)
        _ = try write("credentials: other.json\n")
        #expect(try reload(daemon).status == 0)
        #expect(try Curl("\(daemon.adminURL())/readyz").json()["reload_errors"] == nil)
        #expect(try keyID(daemon) == other.keyID)
    }

    @Test func `reload reports a wrong URL and a stopped daemon`() throws {
        let daemon = try daemon("credentials: key.json\n")
        let refused = try Program.run(Program.daemon, ["reload", "--url", daemon.url])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("refuses to reload (status 404)"))
        let url = try daemon.adminURL()
        daemon.process.end()
        let gone = try Program.run(Program.daemon, ["reload", "--url", url])
        #expect(gone.status == 1)
        #expect(gone.errors.hasPrefix("token-provider: no answer from the daemon: "))
        #expect(gone.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func `web pages and GET requests cannot trigger a reload`() throws {
        let daemon = try daemon("credentials: key.json\n")
        let url = try "\(daemon.adminURL())/reload"
        let field = ["-H", "Token-Provider-Request: reload"]
        let read = try Curl(url, field)
        #expect(read.status == 405)
        #expect(read.fields["allow"] == "POST")
        #expect(try Curl(url, ["-X", "POST"]).status == 403)
        #expect(try Curl(url, ["-X", "POST", "-H", "Origin: http://127.0.0.1"] + field).status == 403)
        #expect(try Curl(url, ["-X", "OPTIONS", "-H", "Origin: http://a.example"]).status == 405)
        #expect(try !daemon.log().contains("was reloaded"))
        #expect(try Curl(url, ["-X", "POST"] + field).json()["reloaded"] as? Bool == true)
        #expect(try Curl("\(daemon.url)/reload", ["-X", "POST"] + field).status == 404)
    }
}
