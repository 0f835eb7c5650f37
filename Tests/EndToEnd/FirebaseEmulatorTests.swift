import Foundation
import TestSupport
import Testing

/// Unsigned tokens of the Firebase Auth emulator, which the demo alone accepts.
@Suite(.blocking) struct FirebaseEmulatorTests {
    /// A token as the emulator makes it, or with changes; null removes a member.
    private func token(
        _ change: [String: Any] = [:], header: [String: Any] = [:], signature: String = ""
    ) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims: [String: Any] = [
            "iss": "https://securetoken.google.com/my-fleet", "aud": "my-fleet", "sub": "a1b2c3", "user_id": "a1b2c3",
            "iat": now, "exp": now + 3600, "auth_time": now, "firebase": ["sign_in_provider": "custom"],
        ]
        let parts = [["alg": "none", "typ": "JWT"].merging(header) { $1 }, claims.merging(change) { $1 }].map {
            String(decoding: Self.json($0.filter { !($0.value is NSNull) }), as: UTF8.self)
        }
        return parts.map { Data($0.utf8).base64EncodedString() }.map {
            $0.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }.joined(separator: ".") + "." + signature
    }

    private static func json(_ object: [String: Any]) -> Data {
        (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    }

    @Test func `the demo accepts the emulator's tokens for one project, and warns`() throws {
        let demo = try DaemonProcess(["demo", "--firebase-emulator", "my-fleet", "--listen", "127.0.0.1:0"])
        let trip = "\(demo.url)/token?tripID=a"
        #expect(try Curl(trip, bearer: token()).status == 200)
        #expect(try Curl(trip, bearer: token()).status == 200)
        #expect(try Curl("\(demo.url)/token/server", bearer: token()).status != 200)
        let wrong = [
            try token(["aud": "other"]), try token(["iss": "https://securetoken.google.com/other"]),
            try token(["exp": 1]), try token(["exp": NSNull()]), try token(["aud": NSNull()]),
            try token(header: ["alg": "None"]), try token(header: ["alg": NSNull()]),
            try token(header: ["alg": "RS256"]),
            try token(header: ["alg": "HS256"], signature: "AAAA"), try token(signature: "AAAA"),
            try token(header: ["crit": ["b64"]]),
        ]
        for token in wrong { #expect(try Curl(trip, bearer: token).status == 401) }
        // Firebase's own library judges issuer and audience the same. Of the emulator's tokens it reads neither signature nor exp.
        let verified = try PythonClients.runVerifier(
            "peer_verifiers.py", ["firebase", "my-fleet", token()] + [wrong[0], wrong[1], wrong[4]])
        let subjects = (verified["subjects"] as? [Any])?.map { $0 as? String }
        #expect(subjects == ["a1b2c3"] + [String?](repeating: nil, count: 3))
        #expect(try Curl(trip).status == 401)
        let page = try Curl("\(demo.url)/", ["-H", "Accept: text/html"]).body
        #expect(page.contains(#"<body data-emulator="https://securetoken.google.com/my-fleet">"#))
        #expect(page.contains("Anyone can get a token here."))
        #expect(demo.said.contains("It accepts unsigned tokens of the Firebase emulator for my-fleet."))
        #expect(try demo.end() == 0)
        #expect(try demo.log().contains("accepts unsigned tokens for my-fleet"))
        let plain = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        #expect(try !Curl("\(plain.url)/", ["-H", "Accept: text/html"]).body.contains("data-emulator"))
        for project in ["", "a b", "\"><script>", "../x"] {
            let outcome = try Program.run(Program.daemon, ["demo", "--firebase-emulator", project])
            #expect(outcome.status == 64 && outcome.errors.contains("not an id of Firebase"), "\(outcome.errors)")
        }
    }

    @Test func `nothing makes serve accept unsigned tokens`() throws {
        let files = try CallerFiles()
        let issuer = """
            issuers:
              - issuer: https://securetoken.google.com/my-fleet
                audiences: [my-fleet]
                algorithms: [RS256]
                keys: keys.json
            """
        let rules = "rules: [{name: all, kinds: [consumer], ids: {tripID: any}}]"
        let config = try files.configuration(rules, issuer: issuer)
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: ["FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099"],
            scratch: files.scratch)
        for token in [try token(), try token(header: ["alg": "RS256"]), try token(header: ["kid": "issuer-key"])] {
            #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: token).status == 401)
        }
        #expect(try daemon.end() == 0)
        let flag = try Program.run(Program.daemon, ["serve", "--config", config, "--firebase-emulator", "my-fleet"])
        #expect(flag.status == 64)
        let variable = try Program.run(
            Program.daemon, ["check", "--config", config], environment: ["TOKEN_PROVIDER_FIREBASE_EMULATOR": "my-fleet"]
        )
        #expect(variable.status == 78)
        for setting in ["firebase_emulator: my-fleet", "demo: {firebase_emulator: my-fleet}"] {
            let path = try files.configuration("\(rules)\n\(setting)", issuer: issuer)
            #expect(try Program.run(Program.daemon, ["check", "--config", path]).status == 78)
        }
        for algorithms in ["[none]", "[RS256, none]", "[]"] {
            let path = try files.configuration(rules, issuer: issuer.replacing("[RS256]", with: algorithms))
            #expect(try Program.run(Program.daemon, ["check", "--config", path]).status == 78)
        }
    }

    /// The one way to such a policy is the demo's.
    @Test func `only the demo's source leads to unsigned tokens`() throws {
        let sources = DocumentationPage.repository.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: [String: Set<String>] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let words = ["trustingEmulator(of", "firebaseEmulator(project", "isUnsigned = true"]
            for word in words where text.contains(word) {
                found[word, default: []].insert(file.lastPathComponent)
            }
        }
        #expect(found["trustingEmulator(of"] == ["CallerConfiguration.swift", "DemoCommand.swift"])
        #expect(found["firebaseEmulator(project"] == ["IssuerPolicy.swift", "CallerConfiguration.swift"])
        #expect(found["isUnsigned = true"] == ["IssuerPolicy.swift"])
    }
}
