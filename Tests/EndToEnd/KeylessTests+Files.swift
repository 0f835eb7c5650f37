import TestSupport
import Foundation
import Testing

/// A credentials file whose author wants more of this machine than to be asked for tokens.
extension KeylessTests {
    /// Where a file may not lead: the file, the member, another value, and its host in the refusal. Cloud Storage takes an
    /// upload for each of the first three.
    private static let misleading: [(file: String, member: String, url: String)] = [
        (
            "external_file_text", "token_url",
            "https://storage.googleapis.com/upload/storage/v1/b/theirs/o?uploadType=media&name=stolen"
        ),
        ("authorized_user", "token_uri", "https://storage.googleapis.com/upload/storage/v1/b/theirs/o"),
        ("external_file_text", "token_url", "https://sts.storage.googleapis.com/v1/token"),
        ("external_file_text", "token_url", "https://sts.googleapis.com/v1/token?access_token=theirs"),
        ("authorized_user", "token_uri", "https://oauth2.googleapis.com/tokeninfo"),
        (
            "external_impersonated", "service_account_impersonation_url",
            "https://pubsub.googleapis.com/v1/projects/-/serviceAccounts/a@b.iam.gserviceaccount.com:generateAccessToken"
        ),
    ]

    private func changed(_ name: String, _ change: [String: Any]) throws -> String {
        let content = try Data(contentsOf: URL(filePath: #require(google.files[name])))
        var members = try #require(JSONSerialization.jsonObject(with: content) as? [String: Any])
        members.merge(change) { $1 }
        return try scratch.write(
            "changed.json", String(decoding: JSONSerialization.data(withJSONObject: members), as: UTF8.self))
    }

    @Test func `a file may send tokens to Google's token endpoints alone`() throws {
        for (name, member, url) in Self.misleading {
            let path = try changed(name, [member: url])
            let config = try scratch.write(
                "c.yaml", "callers: none\ncredentials: \(path)\nsign_as: \(Self.driver)\n\(google.settings)")
            let outcome = try Program.run(Program.daemon, ["check", "--config", config])
            #expect(outcome.status == 78, "\(url)")
            #expect(outcome.errors.contains("\(path): \(member) names "), "\(url): \(outcome.errors)")
        }
    }

    @Test(arguments: [
        (content: "root:x:0:0:root:/root:/bin/sh\n", format: ["type": "text"]),
        (
            content: #"{"client_secret": "canary"}"#,
            format: ["type": "json", "subject_token_field_name": "client_secret"]
        ),
    ])
    func `a file's content that is no token stays on this machine`(content: String, format: [String: String]) throws {
        let secret = try scratch.write("secret", content)
        let path = try changed("external_file_text", ["credential_source": ["file": secret, "format": format]])
        let daemon = try daemon(path)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1").status == 503)
        try daemon.waitForLog("the subject token file \(secret) is not a JWT; expected one")
        #expect(try google.requests("/v1/token") == 0)
    }

    @Test func `check warns of a pipe, or a token file that others can write`() throws {
        let folder = scratch.path("agent")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let token = try scratch.write("agent/token", "", permissions: 0o644)
        let pipe = "\(folder)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        func warnings(_ file: String) throws -> String {
            let path = try changed("external_file_text", ["credential_source": ["file": file]])
            let daemon = try daemon(path)
            #expect(try daemon.end() == 0)
            let check = try Program.run(Program.daemon, ["check", "--config", scratch.path("token-provider.yaml")])
            let (log, checked) = (try daemon.log().contains("\(file): "), check.errors + check.output)
            #expect(check.status == 0 && log == checked.contains("\(file): "), "\(checked)")
            return checked
        }
        #expect(try !warnings(token).contains("\(token): "))
        #expect(try warnings(pipe).contains("\(pipe): is a named pipe, whose writer delays each reading"))
        try #require(chmod(token, 0o666) == 0)
        let consequence = "and so choose the identity of \(scratch.path("changed.json"))"
        #expect(try warnings(token).contains("\(token): others can write this file \(consequence)"))
        try #require(chmod(token, 0o644) == 0 && chmod(folder, 0o777) == 0)
        #expect(try warnings(token).contains("\(folder), where others can replace it \(consequence)"))
    }

    @Test func `the start and check name the file whose token is sent`() throws {
        let path = try #require(google.files["external_file_text"])
        let file = URL(filePath: path).deletingLastPathComponent().appending(path: "subject-token.txt").path
        let daemon = try daemon(path)
        _ = try token(daemon)
        let lines = try daemon.log().split(separator: "\n").filter {
            $0.contains("a file whose token is sent")
        }
        #expect(lines.count == 1 && lines.first?.contains(file) == true, "\(lines)")
        try reload(daemon, path, signAs: Self.driver, settings: "")
        #expect(try daemon.log().ranges(of: "a file whose token is sent").count == 1)
        let check = try Program.run(Program.daemon, ["check", "--config", scratch.path("token-provider.yaml")])
        #expect(check.output.contains("which sends the token in \(file)"), "\(check.output)")
    }

    @Test func `check names the files and the faults of AWS's variables`() throws {
        let token = try scratch.write("aws-token", "a.b.c")
        let daemon = try daemon(try #require(google.files["aws_environment"]))
        #expect(try daemon.end() == 0)
        func check(_ environment: [String: String]) throws -> Outcome {
            try Program.run(
                Program.daemon, ["check", "--config", scratch.path("token-provider.yaml")],
                environment: ["AWS_WEB_IDENTITY_TOKEN_FILE": token].merging(environment) { $1 })
        }
        let whole = try check(["AWS_ROLE_ARN": "arn:aws:iam::1:role/a"])
        #expect(whole.status == 0 && whole.output.contains("which sends the token in \(token)\n"), "\(whole)")
        for (variables, sentence) in [
            ([:], "AWS_WEB_IDENTITY_TOKEN_FILE is set without AWS_ROLE_ARN; expected both, or neither"),
            (["AWS_ROLE_ARN": "a", "AWS_REGION": "not a region"], "AWS_REGION is not a region"),
        ] {
            let refused = try check(variables)
            #expect(refused.status == 78 && refused.errors.contains(sentence), "\(refused)")
        }
    }
}
