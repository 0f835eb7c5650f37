import TestSupport
import Foundation
import Testing

/// The console of the admin listener.
@Suite(.blocking) struct ConsoleTests {
    private static let sections = """
        limits: {failure_rate: 0}
        log: {ids: plain}
        rules:
          - {name: riders, kinds: [consumer], ids: {tripID: {claim: trips}}}
          - {name: dispatchers, kinds: [driver], api_keys: [dispatch], ids: {vehicleID: [v-1, v]}}
        """

    let files: CallerFiles
    private let key: String
    private let token: String

    init() throws {
        files = try CallerFiles()
        key = try files.apiKey("dispatch")
        token = try files.token(["trips": ["trip-1"], "secret_claim": "canary-claim"])
    }

    /// The answer to a question as the page sends it.
    private func ask(_ admin: String, _ name: String, _ input: String, _ more: [String] = []) throws -> Curl {
        let encoded = SignedToken.base64URL(Data(input.utf8))
        let fields = ["-H", "Token-Provider-Request: \(name)", "-H", "Token-Provider-Input: \(encoded)"]
        return try Curl("\(admin)/console/\(name)", ["-X", "POST"] + fields + more)
    }

    @Test func `browsers get the page with a strict policy`() throws {
        let daemon = try files.daemon(Self.sections, environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        let html = ["-H", "Accept: text/html,application/xhtml+xml", "-o", "/dev/null", "-D", "-"]
        let page = try Curl("\(admin)/", html)
        #expect(page.status == 200)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        let policy = try #require(page.fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(page.fields["x-frame-options"] == "DENY" && page.fields["referrer-policy"] == "no-referrer")
        #expect(page.fields["set-cookie"] == nil)
        let tag = try #require(page.fields["etag"])
        let known = try Curl("\(admin)/", html + ["-H", "If-None-Match: W/\"x\", \(tag)"])
        #expect(known.status == 304)
        #expect(known.fields["content-length"] == nil && known.fields["etag"] == tag)
        #expect(try Curl("\(admin)/").status == 404)
        #expect(try Curl("\(admin)/assets/console.js", ["-o", "/dev/null", "-D", "-"]).status == 200)
        #expect(try Curl("\(admin)/assets/playground.js").status == 404)
        for path in ["/", "/console/data.json", "/assets/console.js"] {
            #expect(try Curl("\(daemon.url)\(path)", ["-H", "Accept: text/html"]).status == 404, "\(path)")
            #expect(
                try Curl("\(admin)\(path)", ["-H", "Host: rebound.example", "-H", "Accept: text/html"]).status == 403)
        }
    }

    @Test func `browsers get each file of the pages as it is`() throws {
        let daemon = try files.daemon(Self.sections, environment: DaemonProcess.withAdmin)
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        let folder = DocumentationPage.repository.appending(path: "Sources/TokenProvider/Console/Web")
        let html = ["-H", "Accept: text/html"]
        var served: Set<String> = []
        for (url, page) in [(try daemon.adminURL(), "console.html"), (demo.url, "playground.html")] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let path = name == page ? "/" : "/assets/\(name)"
                let answer = try Curl("\(url)\(path)", html)
                guard answer.status == 200 else { continue }
                let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                #expect(answer.body == source, "\(path)")
                served.insert(name)
            }
        }
        #expect(try served == Set(FileManager.default.contentsOfDirectory(atPath: folder.path)))
    }

    @Test func `admin.console false turns the page and its data off`() throws {
        let sections = "admin: {console: false}\n\(Self.sections)"
        let daemon = try files.daemon(sections, environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        for path in ["/", "/console/data.json", "/assets/console.js"] {
            #expect(try Curl("\(admin)\(path)", ["-H", "Accept: text/html"]).status == 404, "\(path)")
        }
        #expect(try ask(admin, "inspect", "a").status == 404)
        #expect(try Curl("\(admin)/readyz").status == 200)
    }

    @Test func `the data has the figures and refusals, and no secret`() throws {
        let daemon = try files.daemon(Self.sections, environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        var minted = ""
        for _ in 0..<3 { minted = try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token).body }
        #expect(try Curl("\(daemon.url)/token?tripID=trip-2", bearer: token).status == 403)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1", bearer: key + "x").status == 401)
        #expect(try ask(admin, "inspect", token).status == 200)
        #expect(
            try ask(admin, "explain", #"{"kind":"driver","ids":{"vehicleID":"v"},"token":"\#(key)"}"#).status == 200)

        let answer = try Curl("\(admin)/console/data.json")
        #expect(answer.fields["cache-control"] == "no-store")
        let data = try answer.json()
        let current = try #require(data["current"] as? [Int])
        let figures = Dictionary(uniqueKeysWithValues: zip(try #require(data["columns"] as? [String]), current))
        #expect(figures["cached"] == 2 && figures["minted"] == 1 && figures["kind.consumer"] == 3)
        #expect(figures["problem.not_allowed"] == 1 && figures["problem.invalid_credentials"] == 1)
        #expect(figures["signed_here"] == 1 && figures["signed_remotely"] == 0)
        #expect((data["samples"] as? [[Int]])?.first?.count == current.count)
        #expect(data["configuration_file"] as? String == files.scratch.path("token-provider.yaml"))
        #expect(data["api_keys"] as? [String] == ["dispatch"])
        let inspected = try ask(admin, "inspect", token).json()["findings"] as? [[String: Any]]
        #expect(inspected?.map { $0["code"] as? String } == ["callers_token"])
        #expect((data["warnings"] as? [String])?.isEmpty == true && data["log_ids"] as? String == "plain")
        #expect((data["reload"] as? [String: Any])?["time"] is NSNull)
        let refusals = try #require(data["refusals"] as? [[String: Any]])
        #expect(refusals.map { $0["code"] as? String } == ["not_allowed", "invalid_credentials"])
        #expect(refusals[0]["subject"] as? String == "consumer:trip-2")
        #expect(refusals.map { $0["caller"] as? String } == ["user-1", nil])
        #expect(refusals.map { $0["client"] as? String } == ["127.0.0.1", "127.0.0.1"])
        #expect(refusals.allSatisfy { ($0["request_id"] as? String)?.count == 16 })
        let refused = #"{"kind":"consumer","ids":{"tripID":"trip-2"},"token":"\#(token)"}"#
        let explained = try #require(try ask(admin, "explain", refused).json()["reason"] as? String)
        #expect(refusals[0]["reason"] as? String == explained && explained.contains("trip-2"))
        let last = try #require((data["samples"] as? [[Int]])?.last?.first)
        #expect(
            (try Curl("\(admin)/console/data.json?after=\(last + 3_600_000)").json()["samples"] as? [Any])?.isEmpty
                == true)

        #expect(try daemon.end() == 0)
        let pem = files.key.pem.split(separator: "\n").filter { !$0.contains("-----") }.map(String.init)
        let tokens = (token + "." + minted).split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }
        for secret in pem + [String(key.dropFirst(4).prefix(20)), "canary"]
            + tokens.map(String.init).filter({ $0.count > 40 })
        {
            #expect(!answer.body.contains(secret), "the data contains \(secret)")
            #expect(try !daemon.log().contains(secret), "the log contains \(secret)")
        }
    }

    @Test func `questions get the answers of the commands`() throws {
        let daemon = try files.daemon(Self.sections, environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        let configuration = files.scratch.path("token-provider.yaml")
        for (trip, isAllowed) in [("trip-1", true), ("trip-2", false)] {
            let input = #"{"kind":"consumer","ids":{"tripID":"\#(trip)"},"token":"\#(token)"}"#
            let explained = try ask(admin, "explain", input).json()
            #expect(explained["allowed"] as? Bool == isAllowed)
            let command = ["explain", "--config", configuration, "--as", token, "--trip", trip, "--json"]
            let printed = try Program.run(Program.daemon, command).json()
            #expect(explained as NSDictionary == printed as NSDictionary)
        }
        let named = try ask(admin, "explain", #"{"kind":"driver","ids":{"vehicleID":"v-1"},"api_key":"dispatch"}"#)
            .json()
        #expect(named["rule"] as? String == "dispatchers" && named["principal"] as? String == "dispatch")
        let unknown = try ask(admin, "explain", #"{"kind":"driver","ids":{"vehicleID":"v-1"},"api_key":"none"}"#).json()
        #expect(unknown["allowed"] as? Bool == false)
        for wrong in ["", "[]", "{", #"{"kind":7,"ids":[]}"#, #"{"ids":{"tripID":7}}"#] {
            #expect(try ask(admin, "explain", wrong).json()["code"] as? String == "missing_id", "\(wrong)")
        }
        #expect(try ask(admin, "explain", #"{"ids":{"tripID":"*"}}"#).json()["code"] as? String == "invalid_id")
        #expect(try ask(admin, "inspect", "").json()["refused"] as? Bool == true)
        // The daemon gave no token.
        #expect(try Curl("\(admin)/metrics").body.contains("token_provider_mints_total 0\n"))
    }

    @Test func `inspect verifies by the daemon's keys, and answers as the command`() throws {
        let daemon = try files.daemon(Self.sections, environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        let answer = try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token)
        let minted = try #require(answer.json()["TRIP_TOKEN_KEY"] as? String)
        let set = try files.scratch.write("own.json", Curl("\(admin)/.well-known/jwks.json").body)
        let parts = minted.split(separator: ".")
        let changed = "\(parts[0]).\(String(parts[1].reversed())).\(parts[2])"
        for (pasted, status) in [
            (minted, "verified"), ("Bearer \(minted)", "verified"), (answer.body, "verified"), (changed, "wrong"),
            (token, "not_checked"), ("x", "not_checked"),
        ] {
            let asked = try ask(admin, "inspect", pasted).json()
            let signature = try #require(asked["signature"] as? [String: String])
            #expect(signature["status"] == status, "\(signature)")
            let key = status == "not_checked" ? [] : ["--key", set]
            let flags = ["--json", "--config", files.scratch.path("token-provider.yaml")] + key
            let inspected = try Program.run(Program.daemon, ["inspect"] + flags, input: pasted).json()
            for member in ["member", "header", "claims", "purpose", "findings", "refused"] {
                #expect(asked[member] as? NSObject == inspected[member] as? NSObject, "\(member)")
            }
            guard status != "not_checked" else { continue }
            let sentence = (inspected["signature"] as? [String: String])?["sentence"]
            #expect(signature["sentence"] == sentence?.replacing("the JWK set in \(set)", with: "the daemon's JWK set"))
        }
        #expect(try daemon.end() == 0)
        #expect(try !daemon.log().contains(minted.suffix(40)))
    }

    @Test func `a failing check has the cure of its reason`() throws {
        let issuer = """
            issuers:
              - {issuer: "http://127.0.0.1:9", audiences: [a], algorithms: [RS256], keys: "http://127.0.0.1:9/jwks"}
            """
        let daemon = try files.daemon(
            "\(Self.sections)\naudit: {output: file, file: \(files.scratch.path("audit"))}", issuer: issuer,
            environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        try Patience.wait(for: "the cure of an unreachable provider") {
            try daemon.cure(of: "issuers")?.hasPrefix("open the way to 127.0.0.1:9") == true
        }
        #expect(try daemon.cure(of: "audit") == nil)
        try FileManager.default.removeItem(atPath: files.scratch.path("audit"))
        try Patience.wait(for: "the cure of a removed file") {
            _ = try Curl("\(daemon.url)/token?vehicleID=v-1", bearer: key)
            return try daemon.cure(of: "audit")?.hasPrefix("restore the file, or send SIGHUP after each rotation;")
                == true
        }
        let data = try Curl("\(admin)/console/data.json").json()
        #expect(data["signing_keys"] as? [String] == [files.key.keyID])
        let keys = try #require((data["issuer_keys"] as? [[String: Any]])?.first)
        #expect(keys["seconds"] is NSNull && (keys["failure"] as? String)?.isEmpty == false)
    }

    @Test func `only the page itself and programs may ask`() throws {
        let daemon = try files.daemon(Self.sections, environment: DaemonProcess.withAdmin)
        let admin = try daemon.adminURL()
        for origin in ["http://evil.example", "null", "http://127.0.0.1", admin + "0"] {
            #expect(try ask(admin, "inspect", "a", ["-H", "Origin: \(origin)"]).status == 403, "\(origin)")
        }
        #expect(try ask(admin, "inspect", "a", ["-H", "Origin: \(admin)"]).status == 200)
        let reload = ["-X", "POST", "-H", "Token-Provider-Request: reload"]
        #expect(try Curl("\(admin)/reload", reload + ["-H", "Origin: \(admin)"]).status == 200)
        #expect(try Curl("\(admin)/reload", reload + ["-H", "Origin: http://localhost"]).status == 403)
        for name in ["inspect", "explain"] {
            let foreign = try Curl("\(admin)/console/\(name)", ["-X", "POST"])
            #expect(try foreign.status == 403 && foreign.json()["code"] as? String == "console_header_missing")
            #expect(try Curl("\(admin)/console/\(name)", reload).status == 403)
            let read = try Curl("\(admin)/console/\(name)")
            #expect(read.status == 405 && read.fields["allow"] == "POST")
            #expect(try ask(admin, name, "a", ["-H", "Host: rebound.example"]).status == 403)
        }
        #expect(try Curl("\(admin)/console/data.json", ["-X", "POST"]).status == 405)
    }
}
