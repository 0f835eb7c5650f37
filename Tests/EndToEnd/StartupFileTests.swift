import TestSupport
import Foundation
import Testing

/// The keys and files that the program starts with, and the error for each that it refuses.
@Suite(.blocking) struct StartupFileTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test func `a configuration file that others can write is refused`() throws {
        let path = try scratch.write("token-provider.yaml", "credentials: key.json\n", permissions: 0o646)
        let outcome = try Program.run(Program.daemon, ["serve", "--config", path])
        #expect(outcome.status == 78)
        #expect(
            outcome.errors
                == "token-provider: the configuration file \"\(path)\": others can write this file and so say who may "
                + "have tokens; expected chmod go-w\n")
    }

    @Test func `a world-writable key is refused, and a world-readable one causes a warning`() throws {
        let key = try ServiceAccountFile(in: scratch, permissions: 0o602)
        let writable = try Program.refusal(["serve", "--credentials", key.path])
        #expect(writable.status == 78)
        #expect(
            writable.sentences == [
                "\(key.path): others can write this file and so choose the key; "
                    + "expected chmod go-w, or better chmod 600"
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: key.path)
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        #expect(try daemon.end() == 0)
        #expect(
            try daemon.log().contains(
                "reason=\"\(key.path): others can read this file and so sign as the account; expected chmod 600\""))
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
    func `an unsupported key is refused without showing any of the key`(make: [String], problem: String) throws {
        let key = try ServiceAccountFile(in: scratch, key: make)
        let outcome = try Program.refusal(["serve", "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(outcome.sentences == ["\(key.path): private_key \(problem)"])
        for line in key.pem.split(separator: "\n").dropFirst().dropLast() { #expect(!outcome.errors.contains(line)) }
    }

    @Test func `a file of another type without that type's members is refused`() throws {
        let key = try ServiceAccountFile(in: scratch, type: "authorized_user")
        let outcome = try Program.refusal(["serve", "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(outcome.sentences == ["\(key.path): client_id is missing; expected a string"])
    }

    @Test(arguments: ["123-compute@developer.gserviceaccount.com", "fleet@appspot.gserviceaccount.com"])
    func `a default service account is refused unless the configuration allows it`(account: String) throws {
        let key = try ServiceAccountFile(in: scratch, account: account)
        let outcome = try Program.refusal(["serve", "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(outcome.sentences.first?.hasPrefix("\(key.path): client_email ") == true)
        #expect(outcome.errors.contains("allow_default_service_accounts"))
        let allowed = ["TOKEN_PROVIDER_ALLOW_DEFAULT_SERVICE_ACCOUNTS": "true"]
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: allowed)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
    }

    @Test func `a missing file and a directory are clear errors`() throws {
        let missing = try Program.refusal(["serve", "--credentials", "/nowhere/key.json"])
        #expect(missing.status == 78)
        #expect(missing.sentences == ["/nowhere/key.json: cannot be opened: No such file or directory"])
        let folder = try Program.refusal(["serve", "--credentials", scratch.folder.path])
        #expect(folder.status == 78)
        #expect(folder.sentences == ["\(scratch.folder.path): is a directory; expected a file"])
    }

    /// A start with a named pipe in place of a file: the outcome, and the path of the pipe.
    private func start(_ name: String, asPipe prepare: (String) throws -> Void) throws -> (Outcome, path: String) {
        let files = try TLSFiles()
        let path = files.scratch.path(name)
        let keys = try Program.mustRun(Program.daemon, ["jwks", "--credentials", files.key.path])
        try files.scratch.write("keys.json", keys)
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        try prepare(path)
        let configuration = try files.scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: key.json
            issuers: [{issuer: https://id.example.com, audiences: a, algorithms: RS256, keys: keys.json}]
            rules: [{name: riders, kinds: consumer, ids: {tripID: any}}]
            tls: {listen: 127.0.0.1:0, certificates: [\(TLSFiles.certificate)]}

            """)
        // If it waits forever, timeout kills it.
        let command = ["-s", "KILL", "120", Program.daemon, "serve", "--config", configuration]
        return (try Program.run("timeout", command), path)
    }

    @Test(arguments: ["key.json", "server.key", "keys.json"])
    func `a start refuses a silent pipe and another user's pipe`(name: String) throws {
        var writers: [Int32] = []
        defer { writers.forEach { close($0) } }
        let silent = try start(name) { writers.append(open($0, O_RDWR)) }
        #expect(silent.0.status == 78)
        let late = "cannot be read: the program that writes to this pipe has not ended it in time"
        #expect(silent.0.sentences == ["\(silent.path): \(late)"])
        // Only root can give a file away; for others a pipe that all can write is the like.
        let isRoot = geteuid() == 0
        let others = try start(name) { path in
            try #require((isRoot ? chown(path, 1001, 1001) : chmod(path, 0o622)) == 0)
        }
        #expect(others.0.status == 78)
        let reason = isRoot ? "belongs to user 1001, who can write it and so " : "others can write this file and so "
        #expect(others.0.sentences.count == 1)
        #expect(others.0.sentences.first?.hasPrefix("\(others.path): \(reason)") == true, "\(others.0)")
    }

    @Test func `GOOGLE_APPLICATION_CREDENTIALS replaces the flag, and an unreadable file is an error`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0"], environment: ["GOOGLE_APPLICATION_CREDENTIALS": key.path],
            scratch: scratch)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        let outcome = try Program.refusal(
            ["serve"], environment: ["GOOGLE_APPLICATION_CREDENTIALS": "/nowhere/adc.json"])
        #expect(outcome.status == 78)
        #expect(outcome.sentences == ["/nowhere/adc.json: cannot be opened: No such file or directory"])
    }

    @Test func `each kind uses its own key, and is off without one`() throws {
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
}
