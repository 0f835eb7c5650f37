import TestSupport
import Foundation
import Testing

/// `token-provider inspect`, the real binary, on tokens that openssl signed.
@Suite(.blocking) struct InspectTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    private func inspect(_ arguments: [String], input: String? = nil) throws -> Outcome {
        try Program.run(Program.daemon, ["inspect"] + arguments, input: input)
    }

    private static let healthy = "Nothing here would make Fleet Engine refuse this token."

    // MARK: The token

    @Test func `a valid token is accepted from argument, standard input or JSON answer`() throws {
        let token = try SignedToken(by: key, in: scratch).text
        let answer = "{\"VEHICLE_TOKEN_KEY\":\"\(token)\",\"TRIP_TOKEN_KEY\":\"\(token)\",\"TOKEN_EXPIRATION\":1}\n"
        let outcomes = [
            try inspect([token]), try inspect(["Authorization:", "Bearer", token]), try inspect([answer]),
            try inspect(["-"], input: "  \"\(token)\"\r\n"), try inspect([], input: "Bearer \(token)\n"),
            try inspect(["-"], input: answer),
        ]
        for outcome in outcomes {
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            #expect(outcome.output.hasSuffix("\n\(Self.healthy)\n"))
            #expect(
                outcome.output.contains(
                    #"a driver token for vehicle "v-1"; the account needs roles/fleetengine.driverSdkUser"#))
            #expect(outcome.output.contains("Z  expires in 5"))
            #expect(outcome.output.contains("https://www.googleapis.com/service_accounts/v1/jwk/\(key.account)"))
            #expect(!outcome.output.contains("\u{1B}"))
        }
        #expect(outcomes[5].output.hasPrefix("The token is from the JSON member \"TRIP_TOKEN_KEY\".\n"))
    }

    @Test func `a refused token is reported with each reason and fix, status 1`() throws {
        let claims: [String: Any] = ["aud": "https://fleetengine.googleapis.com", "authorization": ["tripId": "t"]]
        let outcome = try inspect([SignedToken(by: key, in: scratch, claims: claims).text])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                """
                Findings
                refused aud has no slash at its end [aud_without_slash]
                        -> set aud to the one string "https://fleetengine.googleapis.com/"
                refused authorization has "tripId", which Fleet Engine does not read [claim_misspelled]
                        -> write tripid, all in lower case

                Fleet Engine would refuse this.

                """))
    }

    @Test func `control characters and signatures of tokens never reach the terminal`() throws {
        let hostile = "\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2066}\u{2028}\u{0}\r\n"
        let token = try SignedToken(
            by: key, in: scratch, header: ["kid": hostile, hostile: hostile],
            claims: ["iss": hostile, "authorization": ["tripid": hostile, hostile: 1], hostile: [hostile: [hostile]]])
        for arguments in [[], ["--json"], ["--key", key.path], ["--key", key.path, "--json"]] {
            let outcome = try inspect([token.text] + arguments)
            #expect(outcome.status == 1)
            let raw = outcome.output.unicodeScalars.filter {
                $0 != "\n" && [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
            #expect(raw.isEmpty, "\(raw.map { String($0.value, radix: 16) })")
            #expect(!outcome.output.contains(token.signature.prefix(20)))
        }
    }

    // MARK: The signature

    @Test func `a signature is verified with every form of key`() throws {
        let token = try SignedToken(by: key, in: scratch).text
        for (file, sentence) in try keyFiles() {
            let outcome = try inspect([token, "--key", file])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("Signature\nverified: by \(sentence)"), "\(outcome.output)")
        }
    }

    @Test func `a wrong key or changed payload fails with every form of key`() throws {
        let other = try ServiceAccountFile(in: scratch, name: "other")
        let foreign = try SignedToken(by: other, in: scratch).text
        let parts = try SignedToken(by: key, in: scratch).text.split(separator: ".")
        let changed = try SignedToken(by: key, in: scratch, claims: ["authorization": ["vehicleid": "v-2"]]).text
        let patched = "\(parts[0]).\(changed.split(separator: ".")[1]).\(parts[2])"
        for (file, _) in try keyFiles() {
            for token in [foreign, patched] {
                let outcome = try inspect([token, "--key", file])
                #expect(outcome.status == 1)
                #expect(outcome.output.contains("Signature\nwrong: "))
                #expect(outcome.output.hasSuffix("\nFleet Engine would refuse this.\n"))
            }
        }
    }

    @Test func `a key set is searched by kid, or entirely without one`() throws {
        let set = try #require(try keyFiles().last?.file)
        let unknown = try SignedToken(by: key, in: scratch, header: ["kid": "k-9"]).text
        let outcome = try inspect([unknown, "--key", set])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("wrong: the JWK set in \(set) has no key \"k-9\"; key 1 of the set has kty other"))
        let nameless = try SignedToken(by: key, in: scratch, header: ["kid": ""]).text
        #expect(try inspect([nameless, "--key", set]).output.contains("tried because the token has no kid"))
    }

    @Test func `a token naming another kid than its key is refused`() throws {
        let token = try SignedToken(by: key, in: scratch, header: ["kid": "k-9"]).text
        let outcome = try inspect([token, "--key", key.path])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("verified: by the service-account key in \(key.path)\n"))
        #expect(outcome.output.contains("[kid_unlike_key]"))
    }

    /// The key in each form with its expected description; the last, a JWK set, also holds a key of another type.
    private func keyFiles() throws -> [(file: String, sentence: String)] {
        let private_ = try scratch.write("private.pem", key.pem)
        let certificate = scratch.path("certificate.pem")
        try Program.mustRun(
            "openssl", ["req", "-x509", "-key", private_, "-subj", "/CN=x", "-days", "1", "-out", certificate])
        let modulus = try Program.mustRun("openssl", ["rsa", "-in", private_, "-modulus", "-noout"])
        let script = """
            import base64, json, sys
            n = base64.urlsafe_b64encode(bytes.fromhex(sys.argv[1].strip().split("=")[1])).rstrip(b"=").decode()
            key = {"kty": "RSA", "n": n, "e": "AQAB", "kid": sys.argv[2], "alg": "RS256", "use": "sig"}
            print(json.dumps({"keys": [{"kty": "EC"}, key]}))
            """
        let set = try scratch.write("set.json", Program.mustRun("python3", ["-c", script, modulus, key.keyID]))
        return [
            (key.publicKeyPath, "the public key in \(key.publicKeyPath)\n"),
            (certificate, "the certificate in \(certificate)\n"), (private_, "the private key in \(private_)\n"),
            (key.path, "the service-account key in \(key.path)\n"),
            (set, "the key \"\(key.keyID)\" of the JWK set in \(set); key 1 of the set has kty other than RSA\n"),
        ]
    }

    // MARK: Tokens of the daemon's own callers

    @Test func `an ID token of a configured issuer has one finding`() throws {
        let files = try CallerFiles()
        let token = try files.token(["exp": 1_700_000_000])
        let config = try files.configuration("")
        let expected =
            "refused this is an ID token of the configured issuer \"https://id.example.com\": it is for token-provider, "
            + "not for Fleet Engine [callers_token]\n        -> send it to /token, "
        let outcomes = [
            try inspect([token, "--config", config]), try inspect([token, "--config", config, "--key", key.path]),
            try Program.run(Program.daemon, ["inspect", token], environment: ["TOKEN_PROVIDER_CONFIG": config]),
        ]
        for outcome in outcomes {
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("Findings\n\(expected)"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.matches(of: #/(?m)^(refused|warning|note) /#).count == 1)
            #expect(outcome.output.contains("not checked: token-provider explain verifies it"))
        }
        let foreign = try files.token(["iss": "https://other.example.com"])
        #expect(try inspect([foreign, "--config", config]).output.contains("[iss_not_service_account]"))
        #expect(try inspect([token, "--config", scratch.path("none.yaml")]).status == 78)
        let unreadable = ["TOKEN_PROVIDER_CONFIG": scratch.path("none.yaml")]
        let without = try Program.run(Program.daemon, ["inspect", token], environment: unreadable)
        #expect(without.errors == "" && without.output.contains("[iss_not_service_account]"))
    }

    // MARK: Programs and terminals

    @Test func `--json prints one object with the documented members`() throws {
        let script = """
            import json, sys
            report = json.loads(sys.argv[1])
            assert list(report) == ["member", "header", "claims", "times", "purpose", "signature", "findings", "refused"]
            assert report["header"]["alg"] == "RS256" and report["claims"]["authorization"] == {"vehicleid": "v-1"}
            times = report["times"]
            assert times["nbf"] is None and times["exp"]["seconds"] - times["iat"]["seconds"] == 3600
            assert times["iat"]["seconds"] <= times["now"]["seconds"] and times["exp"]["utc"].endswith("Z")
            assert report["purpose"]["kinds"] == ["driver"]
            assert report["purpose"]["roles"] == ["roles/fleetengine.driverSdkUser"]
            assert report["signature"]["status"] == sys.argv[2], report["signature"]
            assert [finding["code"] for finding in report["findings"]] == sys.argv[3:]
            assert all(set(f) == {"code", "severity", "claim", "problem", "fix"} for f in report["findings"])
            assert report["refused"] == (len(sys.argv) > 3)
            """
        let healthy = try inspect(["--json", SignedToken(by: key, in: scratch).text])
        #expect(healthy.status == 0)
        try Program.mustRun("python3", ["-c", script, healthy.output, "not_checked"])
        let broken = try SignedToken(by: key, in: scratch, header: ["typ": "x"], claims: ["aud": 1]).text
        let refused = try inspect(["--json", "--key", key.path, broken])
        #expect(refused.status == 1)
        try Program.mustRun("python3", ["-c", script, refused.output, "verified", "typ_not_jwt", "aud_wrong"])
        let nothing = try inspect(["--json"], input: "ya29.x")
        #expect(nothing.output.hasPrefix(#"{"member":null,"header":null,"claims":null,"times":null,"purpose":null,"#))
    }

    @Test func `invalid arguments are reported with status 64`() throws {
        let missing = scratch.path("missing.pem")
        let empty = try scratch.write("empty.pem", "")
        let cases: [([String], String?, String)] = [
            (["x", "--key", missing], nil, "--key \(missing): cannot be opened: No such file or directory\n"),
            (["x", "--key", "/"], nil, "--key /: cannot be read: Is a directory\n"),
            (["x", "--key", "/dev/zero"], nil, "--key /dev/zero: is over 64 KiB; expected a key\n"),
            (["x", "--key", empty], nil, "--key \(empty): the file is empty; expected "),
            (["-"], String(repeating: "a", count: 65_537), "the text is over 64 KiB; expected one token\n"),
        ]
        for (arguments, input, sentence) in cases {
            let outcome = try inspect(arguments, input: input)
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
            #expect(outcome.errors.hasPrefix("token-provider: \(sentence)"), "\(outcome.errors)")
        }
        #expect(try inspect(["--nonsense"]).status == 64)
        #expect(try inspect(["-"], input: String(repeating: "a", count: 65_536)).status == 1)
        #expect(try inspect([""]).status == 1)
    }

    @Test func `terminal output has colour without NO_COLOR, and a missing token fails`() throws {
        let token = try SignedToken(by: key, in: scratch).text
        func onTerminal(_ arguments: [String], environment: [String: String]) throws -> Outcome {
            try Program.runOnTerminal(Program.daemon, ["inspect"] + arguments, environment: environment)
        }
        let coloured = try onTerminal([token], environment: ["NO_COLOR": ""])
        #expect(coloured.status == 0)
        #expect(coloured.output.contains("\u{1B}[32m\(Self.healthy)\u{1B}[0m"))
        #expect(try !onTerminal([token], environment: ["NO_COLOR": "1"]).output.contains("\u{1B}"))
        let usage = try onTerminal([], environment: [:])
        #expect(usage.status == 64)
        #expect(usage.output.contains("the token is missing; expected one as an argument or on standard input"))
    }

    // MARK: What is not a token

    /// Inspects a text on standard input and as JSON, and expects one finding that does not show the secret.
    private func expectFinding(_ code: String, in text: String, hiding secret: String) throws {
        let outcome = try inspect(["-"], input: text)
        #expect(outcome.output.contains("[\(code)]\n        -> "), "\(outcome.output)")
        let json = try inspect(["--json", text])
        let findings = try #require(try json.json()["findings"] as? [[String: Any]])
        #expect(findings.map { $0["code"] as? String } == [code])
        for outcome in [outcome, json] {
            #expect(outcome.status == 1)
            #expect(outcome.errors == "")
            #expect(!outcome.output.contains(secret))
        }
    }

    @Test(arguments: [
        ("curl 'https://fleetengine.googleapis.com/v1/providers/p/trips/t?key=AIzaSyA-0123'", "api_key"),
        ("curl -s https://fleetengine.googleapis.com/v1/providers/p/trips/AIzaSyA-0123", "no_credentials"),
        ("$TOKEN", "unexpanded_variable"), ("Authorization: Bearer ${AIzaSyA-0123}", "unexpanded_variable"),
    ])
    func `a command or variable instead of a token is explained`(text: String, code: String) throws {
        try expectFinding(code, in: text, hiding: "SyA-0123")
    }

    @Test func `a repeated Bearer is reported and the token still inspected`() throws {
        let token = try SignedToken(by: key, in: scratch)
        let outcome = try inspect(["Authorization:", "Bearer", "Bearer", token.text, "--key", key.path])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("Signature\nverified: "))
        #expect(outcome.output.contains("[bearer_twice]\n        -> send Bearer once"))
        #expect(!outcome.output.contains(token.signature))
    }

    @Test func `a new API key is recognised and never shown`() throws {
        let made = try Program.run(Program.daemon, ["api-key", "new", "dispatch", "--json"])
        let apiKey = try #require(try made.json()["key"] as? String)
        for text in [apiKey, "Bearer \(apiKey)", made.output, "curl -H 'Authorization: Bearer \(apiKey)' https://x"] {
            try expectFinding("provider_api_key", in: text, hiding: String(apiKey.dropFirst(4)))
        }
    }

    @Test func `an error of the daemon is repeated with its advice`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let answer = try Curl("\(daemon.url)/token?tripID=")
        let detail = try #require(try answer.json()["detail"] as? String).dropLast()
        let outcome = try inspect(["-"], input: answer.body)
        #expect(outcome.status == 1)
        let problem = #"this is the error "invalid_id" of token-provider, not a token: \#(detail)"#
        #expect(outcome.output.contains("\(problem) [error_answer]\n"), "\(outcome.output)")
        #expect(outcome.output.contains("-> send the id that Fleet Engine knows, percent-encoded\n"))
    }
}
