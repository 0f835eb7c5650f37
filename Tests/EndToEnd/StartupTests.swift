import ChildProcess
import Foundation
import Testing

/// How the program starts, or says in one sentence why it does not.
@Suite struct StartupTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    /// Runs `serve`, which must end by itself.
    private func refusal(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let clean = ["GOOGLE_APPLICATION_CREDENTIALS": ""].merging(environment) { $1 }
        return try Program.run(Program.daemon, arguments, environment: clean)
    }

    // MARK: Credentials

    @Test func `a configuration that others can write is refused`() throws {
        let path = try scratch.write("token-provider.yaml", "credentials: key.json\n", permissions: 0o646)
        let outcome = try Program.run(Program.daemon, ["serve", "--config", path])
        #expect(outcome.status == 78)
        #expect(
            outcome.errors
                == "token-provider: the configuration file \"\(path)\": others can write this file and so say who may "
                + "have tokens; expected chmod go-w\n")
    }

    @Test func `a key that others can write is refused, and one that others can read is warned of`() throws {
        let key = try ServiceAccountFile(in: scratch, permissions: 0o602)
        let writable = try refusal(["serve", "--credentials", key.path])
        #expect(writable.status == 78)
        #expect(
            writable.errors
                == "token-provider: \(key.path): others can write this file and so choose the key; "
                + "expected chmod go-w, or better chmod 600\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: key.path)
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        #expect(try daemon.end() == 0)
        #expect(
            try daemon.log().contains(
                "warning \(key.path): others can read this file and so sign as the account; expected chmod 600"))
    }

    @Test(arguments: [
        (
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
            "is a key of type EC; expected RSA, which RS256 signs with"
        ),
        (["genpkey", "-algorithm", "ED25519"], "is a key of type ED25519; expected RSA, which RS256 signs with"),
        (
            ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
            "is an RSA key of 1024 bits; expected at least 2048"
        ),
        (
            ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"],
            "is a key of type RSA-PSS; expected RSA, which RS256 signs with"
        ),
    ])
    func `a key of another kind or strength is refused with file, field and nothing of the key`(
        make: [String], problem: String
    ) throws {
        let key = try ServiceAccountFile(in: scratch, key: make)
        let outcome = try refusal(["serve", "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(outcome.errors == "token-provider: \(key.path): private_key \(problem)\n")
        for line in key.pem.split(separator: "\n").dropFirst().dropLast() { #expect(!outcome.errors.contains(line)) }
    }

    @Test func `a file that is no service account's is refused`() throws {
        let key = try ServiceAccountFile(in: scratch, type: "authorized_user")
        let outcome = try refusal(["serve", "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(
            outcome.errors
                == "token-provider: \(key.path): type is \"authorized_user\"; expected exactly \"service_account\"\n")
    }

    @Test(arguments: ["123-compute@developer.gserviceaccount.com", "fleet@appspot.gserviceaccount.com"])
    func `a default service account is refused unless the configuration allows it`(account: String) throws {
        let key = try ServiceAccountFile(in: scratch, account: account)
        let outcome = try refusal(["serve", "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(outcome.errors.hasPrefix("token-provider: \(key.path): client_email "))
        #expect(outcome.errors.contains("allow_default_service_accounts"))
        let allowed = ["TOKEN_PROVIDER_ALLOW_DEFAULT_SERVICE_ACCOUNTS": "true"]
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: allowed)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
    }

    @Test func `a missing key file, a folder and no key at all are each one sentence`() throws {
        let missing = try refusal(["serve", "--credentials", "/nowhere/key.json"])
        #expect(missing.status == 78)
        #expect(missing.errors == "token-provider: /nowhere/key.json: cannot be opened: No such file or directory\n")
        let folder = try refusal(["serve", "--credentials", scratch.folder.path])
        #expect(folder.status == 78)
        #expect(folder.errors == "token-provider: \(scratch.folder.path): is a directory; expected a file\n")
        let none = try refusal(["serve"])
        #expect(none.status == 78)
        #expect(none.errors.contains("--credentials"))
        #expect(none.errors.contains("GOOGLE_APPLICATION_CREDENTIALS"))
    }

    @Test func `GOOGLE_APPLICATION_CREDENTIALS stands in for the flag, and an unreadable one is an error`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0"], environment: ["GOOGLE_APPLICATION_CREDENTIALS": key.path],
            scratch: scratch)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        let outcome = try refusal(["serve"], environment: ["GOOGLE_APPLICATION_CREDENTIALS": "/nowhere/adc.json"])
        #expect(outcome.status == 78)
        #expect(outcome.errors == "token-provider: /nowhere/adc.json: cannot be opened: No such file or directory\n")
    }

    @Test func `one key each serves each kind by its own account, and a kind without a key is off`() throws {
        let consumer = try ServiceAccountFile(in: scratch, name: "consumer")
        let driver = try ServiceAccountFile(
            in: scratch, name: "driver", account: "driver@fleet-test.iam.gserviceaccount.com", keyID: "driver-key")
        let both = try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0"],
            environment: [
                "TOKEN_PROVIDER_KINDS_CONSUMER_CREDENTIALS": consumer.path,
                "TOKEN_PROVIDER_KINDS_DRIVER_CREDENTIALS": driver.path,
            ])
        let now = String(Int(Date().timeIntervalSince1970))
        let token = try Curl("\(both.url)/token?vehicleID=v").json()["VEHICLE_TOKEN_KEY"] as? String
        try PythonClients.runVerifier(
            "verify_pyjwt.py",
            [driver.publicKeyPath, #require(token), "driver", "v", driver.account, driver.keyID, now])
        let one = try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0"],
            environment: ["TOKEN_PROVIDER_KINDS_CONSUMER_CREDENTIALS": consumer.path])
        #expect(try Curl("\(one.url)/token?tripID=t").status == 200)
        let off = try Curl("\(one.url)/token?vehicleID=v")
        #expect(off.status == 404)
        #expect(try off.json()["code"] as? String == "kinds.driver.credentials_unset")
        #expect(try #require(off.json()["detail"] as? String).contains("kinds.driver.credentials"))
    }

    // MARK: Listening

    @Test func `it starts only when told who may call or that nobody is asked, and warns of that beyond loopback`()
        throws
    {
        let key = try ServiceAccountFile(in: scratch)
        let file = try scratch.write("silent.yaml", "listen: 127.0.0.1:0\n")
        let outcome = try refusal(["serve", "--config", file, "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(
            outcome.errors
                == "token-provider: nothing says who may call, and token-provider refuses to start without it; expected "
                + "issuers, api_keys.file, tls.client_ca_file or forward_auth.url with rules, or --callers none (in the file, callers: none), which gives a "
                + "token to everyone who can reach it\n")
        let daemon = try DaemonProcess(
            ["serve", "--listen", "0.0.0.0:0", "--credentials", key.path, "--callers", "none"], scratch: scratch)
        #expect(try Curl("http://127.0.0.1:\(daemon.port)/healthz").body == "ok\n")
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("callers"))
    }

    @Test func `it listens on a unix socket, removes the one a killed process left, and its own when it ends`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let socket = scratch.path("tokens.sock")
        let arguments = ["serve", "--listen", "unix:\(socket)", "--credentials", key.path]
        let killed = try DaemonProcess(arguments, scratch: scratch)
        try killed.end(by: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: socket))
        let daemon = try DaemonProcess(arguments, scratch: scratch)
        #expect(daemon.url == "unix:\(socket)")
        #expect(try Curl("http://localhost/token?tripID=a", ["--unix-socket", socket]).status == 200)
        let second = try refusal(arguments)
        #expect(second.status == 1)
        #expect(second.errors == "token-provider: listen on unix:\(socket): Address already in use\n")
        #expect(try daemon.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func `it listens on IPv6 and on several addresses at once`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let socket = scratch.path("second.sock")
        let daemon = try DaemonProcess(
            ["serve", "--listen", "[::1]:0", "--listen", "unix:\(socket)", "--credentials", key.path], scratch: scratch)
        #expect(try Curl("\(daemon.url)/healthz", ["--globoff"]).body == "ok\n")
        #expect(try Curl("http://localhost/healthz", ["--unix-socket", socket]).body == "ok\n")
    }

    // MARK: Command line

    @Test(arguments: [
        (["serve", "--lisen", "127.0.0.1:0"], "unknown option '--lisen'; did you mean '--listen'?"),
        (["serv", "--listen", "127.0.0.1:0"], "unknown command 'serv'; did you mean 'serve'?"),
    ])
    func `a mistyped flag or subcommand is usage, status 64, with the one that was meant`(
        arguments: [String], sentence: String
    ) throws {
        let outcome = try refusal(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors == "token-provider: \(sentence)\n")
    }

    @Test(arguments: [
        ["serve", "--config", "a", "--config", "b"], ["--credentials", "a", "--credentials", "a"],
        ["mint", "--kind", "server", "--kind=driver"], ["inspect", "T", "--key", "a", "--key", "b"],
    ])
    func `a flag of one value that is given twice is one sentence, status 64`(arguments: [String]) throws {
        let outcome = try refusal(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("token-provider: --"))
        #expect(outcome.errors.hasSuffix(" is given more than once; expected it once\n"))
    }

    @Test func `a mistyped key is an error with file, line and the one that was meant, and all errors come at once`()
        throws
    {
        let file = try scratch.write("wrong.yaml", "lisen: 127.0.0.1:0\ntoken:\n  lifetime: 2h\n")
        let outcome = try refusal(["serve", "--config", file])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("\(file):1:1: "))
        #expect(outcome.errors.contains("listen"))
        #expect(outcome.errors.contains("\(file):3:3: token.lifetime"))
    }

    @Test(arguments: [["--listen", "nonsense"], ["--log-level", "loud"], ["--callers", "some"]])
    func `a value that no flag can have is usage, status 64`(flags: [String]) throws {
        let key = try ServiceAccountFile(in: scratch)
        let outcome = try refusal(["serve", "--credentials", key.path] + flags)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("token-provider: \(flags[0]): "))
        #expect(outcome.errors.contains("expected"))
    }

    @Test func `help teaches, version tells`() throws {
        let help = try Program.run(Program.daemon, ["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("token-provider demo"))
        #expect(help.output.contains("Exit status: 0"))
        let serve = try Program.run(Program.daemon, ["serve", "--help"])
        #expect(serve.output.contains("--callers"))
        let version = try Program.run(Program.daemon, ["--version"])
        #expect(version.output == "0.1.0\n")
    }

    @Test func `serve is what runs when no subcommand is named`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(["--listen", "127.0.0.1:0", "--credentials", key.path], scratch: scratch)
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
    }

    @Test func `the demo needs nothing, says what it is, and serves this machine only`() throws {
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        let json = try Curl("\(demo.url)/token?tripID=trip-1").json()
        #expect(json["TRIP_TOKEN_KEY"] is String)
        #expect(demo.said.contains("Fleet Engine will not accept them"))
        #expect(demo.said.contains("curl '\(demo.url)/token?tripID=trip-1'"))
        let outcome = try refusal(["demo", "--listen", "0.0.0.0:0"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("loopback"))
    }

    @Test func `the configuration that is shipped runs as it is`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let key = try ServiceAccountFile(in: scratch)
        for name in ["token-provider.yaml", "token-provider.full.yaml"] {
            let daemon = try DaemonProcess(
                [
                    "serve", "--config", root.appending(path: "config/\(name)").path, "--listen", "127.0.0.1:0",
                    "--credentials", key.path, "--callers", "none",
                ], scratch: scratch)
            #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
            #expect(try daemon.end() == 0)
        }
    }
}
