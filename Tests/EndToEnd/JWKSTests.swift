import TestSupport
import Foundation
import Testing

/// `token-provider jwks`, the real binary. MintTests verifies tokens of `mint` with its keys.
@Suite(.blocking) struct JWKSTests {
    let files: OperatorFiles

    init() throws { files = try OperatorFiles() }

    private func keys(_ outcome: Outcome) throws -> [[String: String]] {
        try #require(try outcome.json()["keys"] as? [[String: String]])
    }

    @Test func `a key of several kinds appears once, with public members only`() throws {
        let outcome = try files.run(["jwks", "--credentials", files.key.path, "--json"])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let keys = try keys(outcome)
        #expect(keys.count == 1)
        #expect(Set(keys[0].keys) == ["kty", "use", "alg", "kid", "n", "e"])
        #expect(keys[0]["kid"] == files.key.keyID)
        #expect(keys[0]["e"] == "AQAB")
        let modulus = try Program.mustRun(
            "openssl", ["rsa", "-pubin", "-in", files.key.publicKeyPath, "-noout", "-modulus"])
        let base64 = try #require(keys[0]["n"]).replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let bytes = try #require(Data(base64Encoded: base64 + "=="))
        #expect(modulus == "Modulus=\(bytes.map { String(format: "%02X", $0) }.joined())\n")
    }

    @Test func `without --json the same set is printed over several lines`() throws {
        let command = ["jwks", "--credentials", files.key.path]
        let lines = try files.run(command)
        #expect(lines.status == 0)
        #expect(lines.output.hasPrefix("{\n  \"keys\": [\n    {\n      \"alg\": \"RS256\",\n      \"e\": \"AQAB\",\n"))
        #expect(lines.output.hasSuffix("\n      \"use\": \"sig\"\n    }\n  ]\n}\n"))
        let set = try JSONSerialization.jsonObject(with: Data(lines.output.utf8)) as? NSDictionary
        #expect(try set == NSDictionary(dictionary: files.run(command + ["--json"]).json()))
    }

    @Test func `keys of served kinds appear once, in order of kinds`() throws {
        _ = try ServiceAccountFile(in: files.scratch, name: "driver", keyID: "driver-key")
        let copy = try String(contentsOfFile: files.key.path, encoding: .utf8)
        try files.scratch.write("copy.json", copy, permissions: 0o644)
        let config = try files.configuration(
            """
            credentials: key.json
            kinds:
              enabled: [consumer, driver]
              consumer: {credentials: copy.json}
              driver: {credentials: driver.json}
              server: {credentials: absent.json}
            """)
        let outcome = try files.run(["jwks", "--config", config, "--json"])
        #expect(outcome.status == 0)
        #expect(try keys(outcome).map { $0["kid"] } == [files.key.keyID, "driver-key"])
        #expect(
            outcome.sentences == [
                "warning: \(files.scratch.path("copy.json")): others can read this file and so sign as the account; "
                    + "expected chmod 600"
            ])
    }

    @Test func `all keys that fail to load are reported with status 78`() throws {
        let config = try files.configuration(
            "kinds: {driver: {credentials: /nowhere/a.json}, server: {credentials: /nowhere/b.json}}\n")
        let outcome = try files.run(["jwks", "--config", config])
        #expect(outcome.status == 78)
        #expect(outcome.output == "")
        #expect(
            outcome.sentences == [
                "/nowhere/a.json: cannot be opened: No such file or directory",
                "/nowhere/b.json: cannot be opened: No such file or directory",
            ])
        #expect(try files.run(["jwks", "--config", files.configuration("lisen: x\n")]).status == 78)
    }
}
