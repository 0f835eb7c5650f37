import Foundation
import TestSupport
import Testing

/// Hundreds of invalid bearer tokens, made with an independent library, against the real binary.
@Suite(.blocking) struct HostileTokenTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test func `hostile tokens are refused alike, and only the key set is fetched`()
        throws
    {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try DaemonProcess(
            under: ["strace", "-f", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", files.scratch.path("calls")],
            ["serve", "--config", configuration(provider), "--log-level", "trace"], scratch: files.scratch)
        let facts = try PythonClients.runProvider("hostile_tokens.py", ["127.0.0.1", daemon.port, provider.url])
        #expect(try #require(facts["refused"] as? Int) >= 600)
        #expect(try #require(facts["too_large"] as? Int) < 10)
        kill(try daemon.child(), SIGTERM)
        #expect(try daemon.process.wait() == 0)
        try expectReasons(daemon)
        try expectConnections(in: "calls", onlyTo: provider)
    }

    @Test func `an oversized token is 401 and an oversized request head is 431`() throws {
        let rules = """
            rules:
              - {name: riders, kinds: [consumer], ids: {tripID: any}}
            """
        for (settings, answers) in [
            ("", [(11_500, 200), (13_000, 431)]),
            (
                "http: {max_line: 48KiB, max_header_size: 64KiB}",
                [(11_500, 200), (13_000, 401), (33_000, 401), (40_000, 431)]
            ),
        ] {
            let daemon = try files.daemon("\(rules)\n\(settings)")
            for (size, status) in answers {
                let token = try files.token(["x": String(repeating: "x", count: size)])
                let answer = try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token)
                #expect(answer.status == status, "\(token.count) bytes")
                guard status == 401 else { continue }
                #expect(answer.fields["www-authenticate"] == #"Bearer realm="token-provider", error="invalid_token""#)
            }
            #expect(try daemon.end() == 0)
        }
        #expect(try files.scratch.text("daemon.log").contains("the bearer token is longer than"))
    }

    @Test func `an issuer's key with an even modulus is refused at the start`() throws {
        let set = try JSONSerialization.jsonObject(with: Data(files.scratch.text("keys.json").utf8)) as? [String: Any]
        var key = try #require((set?["keys"] as? [[String: Any]])?.first)
        let modulus = try #require(key["n"] as? String)
        // The last two letters are the last of the 256 bytes.
        key["n"] = modulus.dropLast(2) + "AA"
        let even = try JSONSerialization.data(withJSONObject: ["keys": [key]])
        try files.scratch.write("keys.json", String(decoding: even, as: UTF8.self))
        let outcome = try Program.run(Program.daemon, ["check", "--config", try files.configuration("")])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("keys.json: the set has no key that can verify"))
        #expect(outcome.errors.contains("key 1 of the set has an even modulus; expected the product of two odd primes"))
    }

    // MARK: -

    private func configuration(_ provider: KeyServer) throws -> String {
        let issuers = """
            issuers:
              - issuer: \(CallerFiles.issuer)
                audiences: [token-provider]
                algorithms: [RS256, ES256, EdDSA, Ed25519]
                keys: \(provider.url)/jwks
              - issuer: \(CallerFiles.issuer)/typed
                audiences: [token-provider]
                algorithms: [RS256]
                keys: \(provider.url)/single
                type: at+jwt
            """
        let rules = """
            rules:
              - {name: riders, kinds: [consumer], ids: {tripID: {claim: trips}}}
            """
        return try files.configuration(rules, issuer: issuers)
    }

    /// The list must reach every check of a token: each has refused at least one.
    private func expectReasons(_ daemon: DaemonProcess) throws {
        let reasons = try daemon.log().matches(of: /the bearer token(?: of issuer [^ ]+)? ([^"]+)"/).map {
            String($0.1)
        }
        for beginning in [
            "is not made of three parts", "is encrypted", "has a part that is not base64url",
            "has a header or claims that are not JSON",
            "has a member twice", "has arrays and objects nested too deep",
            "has a header or claims that are JSON but not",
            "asks for extensions", "says how its payload is encoded", "has no alg",
            "has an alg that is not configured", "has another alg than its key", "has an unexpected typ",
            "has a kid that is not a string", "has no kid", "names an unknown key", "has no iss",
            "has an unknown issuer",
            "has a signature that", "has no aud", "has a malformed aud", "is for another audience", "has no exp",
            "has a malformed exp", "expired ", "has a malformed nbf", "is not valid yet", "has a malformed iat",
            "was issued in the future",
        ] {
            #expect(reasons.contains { $0.hasPrefix(beginning) }, "no token was refused because it \(beginning)")
        }
    }

    /// A question to a name server, which needs no connection, would be found too.
    private func expectConnections(in name: String, onlyTo provider: KeyServer) throws {
        let port = try #require(provider.url.split(separator: ":").last)
        let calls = try files.scratch.text(name).split(separator: "\n").filter {
            $0.contains("connect(") || $0.contains("sa_family=")
        }
        #expect(!calls.isEmpty)
        for call in calls {
            #expect(call.contains(#"sin_port=htons(\#(port)), sin_addr=inet_addr("127.0.0.1")"#), "\(call)")
        }
    }
}
