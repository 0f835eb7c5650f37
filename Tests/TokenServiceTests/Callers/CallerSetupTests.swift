import Foundation
import TestSupport
import Testing

@testable import TokenService

/// Errors of the files that decide which callers are allowed.
@Suite struct CallerSetupTests {
    private static let digits = String(repeating: "0a", count: 32)

    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// The errors of an API key file and of rules, with FILE for the file's path.
    private func errors(ofKeys text: String, rules: String = "[{name: a, kinds: server}]") throws -> [String] {
        let path = try folder.write("keys", Array(text.utf8))
        return try callerErrors("api_keys: {file: '\(path)'}\nrules: \(rules)").map { $0.replacing(path, with: "FILE") }
    }

    /// The errors of an issuer's key file, with FILE for the file's path.
    private func errors(ofSet text: String, for algorithms: String = "RS256") throws -> [String] {
        let path = try folder.write("set.json", Array(text.utf8))
        return try callerErrors(issuer(keys: path, algorithms)).map { $0.replacing(path, with: "FILE") }
    }

    private func issuer(keys: String, _ algorithms: String = "RS256") -> String {
        "issuers: [{issuer: a, audiences: b, algorithms: \(algorithms), keys: '\(keys)'}]\n"
            + "rules: [{name: a, kinds: server}]"
    }

    @Test func `valid files are accepted`() throws {
        #expect(
            try errors(
                ofKeys: "dispatch sha256:\(Self.digits) rules=a",
                rules: "[{name: a, kinds: server, api_keys: dispatch}]") == [])
        #expect(try errors(ofSet: try ProviderKey().set()) == [])
    }

    @Test(arguments: [("10ms", 1, 1), ("60s", 256, 65_536)])
    func `forward_auth at the bounds of its settings is accepted`(timeout: String, connections: Int, waiting: Int)
        throws
    {
        let settings =
            "{url: 'http://127.0.0.1:1/', timeout: \(timeout), max_connections: \(connections), max_waiting: \(waiting)}"
        #expect(
            try callerErrors(
                issuer(keys: try folder.write("set.json", try ProviderKey().set())) + "\nforward_auth: \(settings)")
                == [])
    }

    @Test func `every invalid API key line is reported with the file name`() throws {
        #expect(
            try errors(ofKeys: "dispatch\nb sha256:\(Self.digits)\nb sha256:0\nc sha256:\(Self.digits) x=y") == [
                "FILE: line 1: the key has no digest; expected sha256: and 64 hexadecimal digits",
                "FILE: line 3: the key's digest is malformed; expected sha256: and 64 lower-case hexadecimal digits",
                "FILE: line 4: a field is unknown or repeated; expected NAME sha256:DIGITS [expires=DATE] "
                    + "[rules=NAME,NAME]",
            ])
    }

    @Test func `only the first hundred invalid lines are listed, then a count`() throws {
        let reported = try errors(ofKeys: String(repeating: "x\n", count: 1000))
        #expect(reported.count == 101)
        #expect(reported.last == "FILE: 900 more lines are wrong")
    }

    @Test func `a rule or API key that names a missing counterpart is refused`() throws {
        let keys = "one sha256:\(Self.digits) rules=a,nowhere,b\n"
        let rules = "[{name: a, kinds: server, api_keys: [one, two]}, {name: c, kinds: server, api_keys: three}]"
        #expect(
            try errors(ofKeys: keys, rules: rules) == [
                "token-provider.yaml:2:34: rules[0].api_keys: the rule a names the API key two, which is not in FILE; "
                    + "expected the name of a key in that file",
                "token-provider.yaml:2:82: rules[1].api_keys: the rule c names the API key three, which is not in FILE; "
                    + "expected the name of a key in that file",
                "FILE: line 1: the key one is restricted to the rule b, which is not in rules; did you mean \"a\"?",
                "FILE: line 1: the key one is restricted to the rule nowhere, which is not in rules; expected the name "
                    + "of a rule",
            ])
    }

    @Test func `only the first hundred unknown rule names are listed, then a count`() throws {
        let names = (0..<250).map { "r\($0)" }.joined(separator: ",")
        let reported = try errors(ofKeys: "one sha256:\(Self.digits) rules=\(names)\n")
        #expect(reported.count == 101)
        #expect(reported.last == "FILE: 150 more such names")
    }

    @Test(
        arguments: [
            ("", true), ("# nothing\n", true), ("a sha256:\(digits) expires=2020-01-01T00:00:00Z", true),
            ("a sha256:\(digits)", false), ("a sha256:\(digits) expires=9999-01-01T00:00:00Z", false),
        ] as [(String, Bool)])
    func `only an API key file without a valid key gives a warning`(text: String, isWarned: Bool) throws {
        let path = try folder.write("keys", Array(text.utf8))
        let values = try callerValues("api_keys: {file: '\(path)'}\nrules: [{name: a, kinds: server}]")
        let warning = "api_keys.file: \(path) has no key that is valid now, so none is accepted"
        #expect(try CallerSetup(values, logger: .silent).warnings == (isWarned ? [warning] : []))
    }

    @Test(arguments: [
        ("nonsense", "FILE: "),
        ("{}", "FILE: the JSON is not a key; expected a JWK set, an object with the array \"keys\""),
        ("{\"keys\":[]}", "FILE: the set has no key that can verify; expected at least one"),
        (
            "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"},7]}",
            "FILE: the set has no key that can verify; expected at least one; key 1 of the set "
        ),
    ])
    func `a key set without a usable key is refused`(text: String, beginning: String) throws {
        let errors = try errors(ofSet: text)
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix(beginning) == true)
        #expect(errors.first?.contains("c2VjcmV0") == false)
    }

    @Test func `a key set without a key for the issuer's algorithms is refused`() throws {
        // RFC 7515 appendix A.3.
        let point =
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
            + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
        let rsa = try ProviderKey().set().replacing(#""kty":"RSA""#, with: #""kty":"RSA","alg":"RS256""#)
        #expect(try errors(ofSet: point) == ["FILE: the set has no key for RS256; expected at least one"])
        #expect(try errors(ofSet: point, for: "[RS256, ES256]") == [])
        #expect(
            try errors(ofSet: #"{"keys":[7,\#(point)]}"#, for: "[ES384, PS256]") == [
                "FILE: the set has no key for ES384 or PS256; expected at least one; key 1 of the set has no members"
            ])
        // Its alg is RS256.
        #expect(try errors(ofSet: rsa, for: "PS256") == ["FILE: the set has no key for PS256; expected at least one"])
        #expect(try errors(ofSet: rsa, for: "[PS256, RS256]") == [])
    }

    @Test func `files that are writable by others, too long or missing are refused`() throws {
        let path = try folder.write("keys", Array("one sha256:\(Self.digits)\n".utf8))
        let yaml = "api_keys: {file: '\(path)'}\nrules: [{name: a, kinds: server}]"
        for mode in [0o620, 0o602, 0o666] {
            #expect(chmod(path, mode_t(mode)) == 0)
            #expect(
                try callerErrors(yaml) == [
                    "\(path): others can write this file and so let themselves in; expected chmod go-w"
                ])
            #expect(
                try callerErrors(issuer(keys: path)) == [
                    "\(path): others can write this file and so let themselves in; expected chmod go-w"
                ])
        }
        _ = unlink(path)
        #expect(try callerErrors(yaml) == ["\(path): cannot be opened: No such file or directory"])
        _ = try folder.write("keys", [UInt8](repeating: UInt8(ascii: "#"), count: 8 << 20))
        #expect(try callerErrors(yaml) == [])
        _ = try folder.write("keys", [UInt8](repeating: UInt8(ascii: "#"), count: 8 << 20 + 1))
        #expect(try callerErrors(yaml) == ["\(path): is over 8192 KiB; expected API keys or a JWK set"])
    }

    @Test func `all files are checked even if the first is invalid`() throws {
        let yaml = """
            issuers: [{issuer: a, audiences: b, algorithms: RS256, keys: /nowhere/set}]
            api_keys: {file: /nowhere/keys}
            rules: [{name: a, kinds: server}]
            """
        #expect(
            try callerErrors(yaml) == [
                "/nowhere/keys: cannot be opened: No such file or directory",
                "/nowhere/set: cannot be opened: No such file or directory",
            ])
    }
}
