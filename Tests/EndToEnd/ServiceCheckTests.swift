import Foundation
import TestSupport
import Testing

/// `token-provider check` of root judges by the installed unit, here on a machine whose `/etc` is a copy.
@Suite(.blocking, .enabled(if: geteuid() == 0)) struct ServiceCheckTests {
    private let scratch: Scratch
    private let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
        try Child.mustRun(["cp", "-a", "/etc", scratch.path("etc")])
        try write("etc/passwd", "root:x:0:0::/:/bin/sh\ntoken-provider:x:64001:64001::/:/usr/sbin/nologin\n", 0o644)
        try write("etc/group", "root:x:0:\ntoken-provider:x:64001:\n", 0o644)
        try Child.mustRun(["mkdir", "-p", scratch.path("etc/systemd/system"), scratch.path("etc/token-provider")])
        let unit = DocumentationPage.repository.appending(path: "systemd/token-provider.service")
        try write("etc/systemd/system/token-provider.service", String(contentsOf: unit, encoding: .utf8), 0o644)
        try write("etc/token-provider/key.json", scratch.text("key.json"), 0o600)
    }

    private func write(_ path: String, _ text: String, _ permissions: Int) throws {
        try scratch.write(path, text, permissions: permissions)
    }

    /// Adds lines to the unit.
    private func override(_ lines: String) throws {
        try Child.mustRun(["mkdir", "-p", scratch.path("etc/systemd/system/token-provider.service.d")])
        try write("etc/systemd/system/token-provider.service.d/a.conf", "[Service]\n\(lines)\n", 0o644)
    }

    private func check(
        _ lines: String = "", _ arguments: [String] = [], by user: [String] = [], variables: [String] = [],
        callers: String = "callers: none\n", mounting lib: String = "/var/lib"
    ) throws -> Outcome {
        try write("etc/token-provider/token-provider.yaml", "\(callers)\(lines)\n", 0o644)
        let script =
            "mount --bind \(scratch.path("etc")) /etc && mount --bind \(lib) /var/lib && exec \"$0\" \"$@\""
        let file = "/etc/token-provider/token-provider.yaml"
        return try Program.run(
            "/usr/bin/env",
            ["unshare", "-m", "sh", "-c", script, "env"] + variables + user
                + [Program.daemon, "check", "--config", file] + arguments)
    }

    @Test func `the unit's key signs, and its folder need not exist yet`() throws {
        let outcome = try check("audit: {output: file, file: /var/lib/token-provider/audit}")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("Judged by\ntoken-provider.service, by the user token-provider\n\nKinds\n"))
        let path = "/run/credentials/token-provider.service/key.json"
        #expect(
            outcome.output.contains("key \(key.keyID) of \(path)\n"), "\(outcome.output)"
        )
        #expect(outcome.output.hasSuffix("serve would start.\n"))
        let json = try check("", ["--json"]).json()
        #expect(json["service"] as? String == "token-provider.service, by the user token-provider")
    }

    @Test(arguments: [
        (
            "audit: {output: file, file: /srv/audit}",
            "/srv/audit cannot be written by token-provider.service: ProtectSystem=strict; "
                + "expected a file in /var/lib/token-provider, or ReadWritePaths= in a drop-in"
        ),
        (
            "admin: {listen: [\"unix:/run/admin.sock\"]}",
            "/run/admin.sock cannot be written by token-provider.service: "
        ),
        (
            "api_keys: {file: /root/api-keys}",
            "/root/api-keys cannot be seen by token-provider.service: ProtectHome=yes; "
        ),
        ("api_keys: {file: /tmp/api-keys}", "/tmp/api-keys cannot be seen by token-provider.service: PrivateTmp=yes; "),
        ("api_keys: {file: key.json}", "/etc/token-provider/key.json: cannot be opened: Permission denied"),
    ])
    func `files are judged by the unit's user and protection`(setting: String, reason: String) throws {
        let outcome = try check(setting)
        #expect(outcome.status == 78)
        #expect(outcome.sentences.contains { $0.hasPrefix(reason) }, "\(outcome.errors)")
        #expect(try check("\(setting)\n", ["--here"]).output.hasPrefix("Judged by") == false)
    }

    @Test func `drop-ins add variables, folders, credentials and another user`() throws {
        try override(
            """
            User=games
            StateDirectory=games
            Environment="TOKEN_PROVIDER_LISTEN=127.0.0.1:8199" UNUSED=1
            LoadCredential=other.json:/etc/token-provider/key.json
            Environment=GOOGLE_APPLICATION_CREDENTIALS=%d/other.json
            """)
        let outcome = try check("audit: {output: file, file: /var/lib/games/token-provider}")
        #expect(outcome.output.hasPrefix("Judged by\ntoken-provider.service, by the user games, which systemd makes\n"))
        #expect(outcome.output.contains("127.0.0.1:8199\n") && outcome.output.contains("/other.json"), "\(outcome)")
        try write("etc/variables", "# one\nTOKEN_PROVIDER_LISTEN='127.0.0.1:8198, 127.0.0.1:8199'\n", 0o644)
        try override("DynamicUser=no\nUser=64001\nEnvironmentFile=-/etc/variables\nEnvironmentFile=-/etc/none")
        let numbered = try check()
        #expect(numbered.output.hasPrefix("Judged by\ntoken-provider.service, by the user 64001\n"), "\(numbered)")
        #expect(numbered.output.contains("127.0.0.1:8198\nhttp://127.0.0.1:8199\n"), "\(numbered)")
        try override("DynamicUser=no\nUser=games")
        let missing = try check()
        #expect(missing.status == 78)
        #expect(
            missing.sentences == [
                "systemd would not start token-provider.service: its user games does not exist; expected User= to name one of this machine"
            ])
    }

    @Test func `files in the daemon's private folder are read with its groups`() throws {
        try write("etc/group", "root:x:0:\ntoken-provider:x:64001:\nsecrets:x:64005:\n", 0o644)
        try override("SupplementaryGroups=secrets")
        // systemd gives a folder that other users cannot reach to a dynamic user.
        try Child.mustRun(["mkdir", "-p", "-m", "700", scratch.path("lib/private/token-provider")])
        try Child.mustRun(["ln", "-s", "private/token-provider", scratch.path("lib/token-provider")])
        let file = scratch.path("lib/private/token-provider/api-keys")
        try write("lib/private/token-provider/api-keys", "", 0o640)
        for (path, owner, group) in [(scratch.path("lib/private/token-provider"), 64001, 64001), (file, 64001, 64005)] {
            try #require(chown(path, uid_t(owner), gid_t(group)) == 0)
        }
        let keys = "api_keys: {file: /var/lib/token-provider/api-keys}\nrules: []"
        let outcome = try check(keys, callers: "", mounting: scratch.path("lib"))
        #expect(outcome.status == 0, "\(outcome)")
        try #require(chown(file, 0, 64001) == 0 && chmod(file, 0o600) == 0)
        #expect(try check(keys, callers: "", mounting: scratch.path("lib")).errors.contains("Permission denied"))
    }

    @Test func `without the key file the unit's placeholder leads to the machine`() throws {
        try FileManager.default.removeItem(atPath: scratch.path("etc/token-provider/key.json"))
        #expect(try check().output.contains("by the machine's account"))
        try override("SetCredential=")
        let outcome = try check()
        #expect(outcome.status == 78)
        let place = "LoadCredential=key.json: /etc/token-provider/key.json"
        #expect(
            outcome.sentences == [
                "systemd would not start token-provider.service: \(place) cannot be opened: No such file or directory"
            ])
    }

    @Test func `variables of the shell do not count unless they are asked for`() throws {
        let variables = ["TOKEN_PROVIDER_LISTEN=127.0.0.1:8199"]
        #expect(try !check(variables: variables).output.contains("8199"))
        #expect(try check("credentials: key.json", ["--here"], variables: variables).output.contains("8199"))
    }

    @Test func `another user gets a warning that only root judges by the unit`() throws {
        let warning =
            "warning checked for this user, not for token-provider.service, whose user only root can become; expected sudo, or --here"
        let other = ["setpriv", "--reuid", "64002", "--clear-groups"]
        #expect(try check("", ["--quiet"], by: other).output.contains(warning))
        #expect(try !check("", ["--quiet", "--here"], by: other).output.contains("only root"))
        #expect(
            try !check("", ["--quiet"], by: other, variables: ["CREDENTIALS_DIRECTORY=/"]).output.contains("only root"))
    }

    @Test func `--quiet prints nothing unless something is wrong`() throws {
        let outcome = try check("credentials: key.json\nkinds: {enabled: [driver]}", ["--quiet", "--here"])
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "", "\(outcome)")
    }
}
