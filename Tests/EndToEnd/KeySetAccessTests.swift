import TestSupport
import Foundation
import Testing

/// Key sets over plain http, and those that require a token.
@Suite(.blocking) struct KeySetAccessTests {
    private let files: CallerFiles
    private let provider: KeyServer
    /// The provider's host and port, which is not this machine's by its text.
    private let host: String

    init() throws {
        (files, provider) = (try CallerFiles(), try KeyServer())
        host = "0.0.0.0:\(provider.url.split(separator: ":").last ?? "")"
    }

    private func configuration(issuer: String? = nil, _ more: String) throws -> String {
        try files.configuration(
            "rules: [{name: everyone, kinds: [consumer], ids: {tripID: any}}]",
            issuer: """
                issuers:
                  - {issuer: "\(issuer ?? provider.url)", audiences: token-provider, algorithms: RS256, \(more)}
                """)
    }

    private func check(issuer: String? = nil, _ more: String, _ flags: String...) throws -> Outcome {
        let outcome = try Program.run(
            Program.daemon, ["check", "--config", configuration(issuer: issuer, more)] + flags)
        #expect(!(outcome.output + outcome.errors).contains("canary"), "\(outcome)")
        return outcome
    }

    @Test func `keys over plain http need leave, and are warned of`() throws {
        defer { provider.end() }
        let keys = "keys: \"http://\(host)/jwks\""
        for more in [keys, "\(keys), allow_plain_http: false"] {
            let refused = try check(more)
            #expect(refused.status == 78)
            #expect(
                refused.errors.contains(
                    "issuers[0].keys: is not a URL for keys: the URL is plain http to another machine"))
        }
        #expect(try check(issuer: "http://\(host)", "keys: discovery").status == 78)
        let warning =
            "the keys of \(provider.url) come from \(host) over plain http: anyone on the way can replace them and let "
            + "callers in; expected https"
        let more = "\(keys), allow_plain_http: true"
        let outcome = try check(more, "--online")
        #expect(outcome.status == 0 && outcome.output.contains(warning), "\(outcome)")
        let found = try check(issuer: "http://\(host)", "allow_plain_http: true", "--online")
        #expect(found.status == 0 && found.output.contains("over plain http"), "\(found)")
        #expect(try !check("keys: \"\(provider.url)/jwks\", allow_plain_http: true").output.contains("plain http: who"))
        let daemon = try DaemonProcess(["serve", "--config", configuration(more)], scratch: files.scratch)
        try daemon.waitForLog("over plain http: anyone on the way")
        #expect(try Curl("\(daemon.url)/token?tripID=t-1", bearer: provider.token()).status == 200)
    }

    @Test func `the token file is read and sent at each fetch`() throws {
        defer { provider.end() }
        try provider.set(#"{"bearer": "canary-1"}"#)
        let file = try files.scratch.write("keys-token", "canary-0\n")
        let more = "keys: \"\(provider.url)/jwks\", keys_token_file: \(file)"
        let refused = try check(more, "--online")
        #expect(refused.status == 1 && refused.errors.contains("answered with the status 401; expected 200"))
        try files.scratch.write("keys-token", "canary-1\n")
        let daemon = try DaemonProcess(["serve", "--config", configuration(more)], scratch: files.scratch)
        let token = try provider.token()
        #expect(try Curl("\(daemon.url)/token?tripID=t-1", bearer: token).status == 200)
        let found = try provider.authorizations()
        #expect(found == ["Bearer canary-0", "Bearer canary-1"])
        // Another program renews the token; the next fetch has it without a reload.
        try provider.set(#"{"bearer": "canary-2"}"#)
        try files.scratch.write("keys-token", "canary-2\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("keys were fetched again and are the same")
        #expect(try provider.authorizations().last == "Bearer canary-2")
        // A file that becomes unusable is an outage that says why.
        try files.scratch.write("keys-token", "canary 3\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("holds no token; expected one line of visible ASCII without blanks")
        #expect(try Curl("\(daemon.url)/token?tripID=t-1", bearer: token).status == 200)
        #expect(try !daemon.log().contains("canary"))
    }

    @Test func `the token goes to the configured host alone`() throws {
        let other = try KeyServer()
        defer { for server in [provider, other] { server.end() } }
        let file = try files.scratch.write("keys-token", "canary-1")
        try provider.set(#"{"location": "\#(other.url)/jwks"}"#)
        let moved = try check("keys: \"\(provider.url)/jwks\", keys_token_file: \(file)", "--online")
        #expect(moved.status == 1 && moved.errors.contains("it leads to another origin"), "\(moved)")
        #expect(try other.authorizations() == [])
        try provider.set(#"{"jwks_uri": "\#(other.url)/jwks"}"#)
        #expect(try check("keys_token_file: \(file)", "--online").status == 0)
        #expect(try other.authorizations() == [""])
        try provider.set("{}")
        #expect(try check("keys_token_file: \(file)", "--online").status == 0)
        #expect(
            try provider.authorizations() == [
                "Bearer canary-1", "Bearer canary-1", "Bearer canary-1", "Bearer canary-1",
            ])
    }

    @Test(arguments: [
        ("", "holds no token; expected"), ("canary a\n", "holds no token; expected"),
        ("canary\ncanary\n", "holds no token; expected"), ("can\u{E4}ry\n", "holds no token; expected"),
        (nil, "cannot be opened: No such file or directory"),
    ])
    func `a file that holds no token stops the start`(content: String?, reason: String) throws {
        defer { provider.end() }
        if let content { try files.scratch.write("keys-token", content) }
        let path = files.scratch.path("keys-token")
        let outcome = try check("keys_token_file: \(path)")
        #expect(outcome.status == 78 && outcome.errors.contains("keys_token_file: \(path) \(reason)"), "\(outcome)")
    }
}
