import TestSupport
import Foundation
import Testing

/// Keys on a PKCS #11 token (SoftHSM2): tokens, a token that is removed and comes back, reloads, and what is not shown.
@Suite(.blocking, .tags(.threadSanitizer)) struct HardwareKeyTests {
    let scratch: Scratch
    let token: SoftToken
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch(inMemory: true)
        token = try SoftToken(in: scratch)
        key = try ServiceAccountFile(
            in: scratch, name: "hardware", account: "driver@fleet-test.iam.gserviceaccount.com")
        try token.add(key, label: "driver")
    }

    /// Kinds whose key is in hardware.
    private var hardware: String { token.settings([("driver", "driver"), ("consumer", "driver")], by: key) }

    private func write(_ settings: String) throws -> String {
        try scratch.write("new.yaml", "listen: 127.0.0.1:0\ncallers: none\n\(settings)")
        let path = scratch.path("token-provider.yaml")
        try #require(rename(scratch.path("new.yaml"), path) == 0)
        return path
    }

    private func daemon(_ settings: String, _ flags: [String] = []) throws -> DaemonProcess {
        try DaemonProcess(
            ["serve", "--config", write(settings)] + flags,
            environment: DaemonProcess.withAdmin.merging(token.environment) { $1 }, scratch: scratch)
    }

    private func token(_ daemon: DaemonProcess, _ vehicle: String) throws -> String {
        let answer = try Curl("\(daemon.url)/token?vehicleID=\(vehicle)")
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(try answer.json()["VEHICLE_TOKEN_KEY"] as? String)
    }

    /// What `inspect` says of a token, whose signature must verify with the public half of this key.
    private func inspect(_ token: String, by key: ServiceAccountFile) throws -> String {
        let report = try Program.run(Program.daemon, ["inspect", "--key", key.publicKeyPath, token])
        #expect(report.status == 0, "\(report.output)\(report.errors)")
        return report.output
    }

    @Test func `keys in hardware are loaded beside a process without key files`() throws {
        let daemon = try daemon("signing: {process: separate}\n\(hardware)")
        #expect(try inspect(token(daemon, "v-1"), by: key).contains(key.account))
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try inspect(token(daemon, "v-2"), by: key).contains(key.account))
        #expect(try daemon.end() == 0)
    }

    @Test func `tokens and published keys verify with the token's public key`() throws {
        let daemon = try daemon(hardware)
        let now = Int(Date().timeIntervalSince1970)
        let token = try token(daemon, "v-1")
        #expect(try inspect(token, by: key).contains(key.account))
        let published = try scratch.write("jwks.json", Curl("\(daemon.adminURL())/.well-known/jwks.json").body)
        let written = try Program.mustRun(
            Program.daemon, ["jwks", "--config", scratch.path("token-provider.yaml")],
            environment: self.token.environment)
        for keys in [published, try scratch.write("written.json", written)] {
            let report = try Program.run(Program.daemon, ["inspect", "--key", keys, token])
            #expect(report.status == 0, "\(report.output)")
        }
        #expect(try Curl("\(daemon.adminURL())/readyz").status == 200)
        try PythonClients.runVerifier(
            "verify_pyjwt.py",
            [
                key.publicKeyPath, token, "driver", "v-1", key.account, key.keyID,
                "\(now)", "--within", "60",
            ])
        #expect(try daemon.end() == 0)
    }

    @Test func `check and mint sign with the key`() throws {
        let config = try write(hardware)
        let check = try Program.run(Program.daemon, ["check", "--config", config], environment: token.environment)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains("key \(key.keyID) of pkcs11:token=fleet;object=driver"), "\(check.output)")
        let mint = try Program.run(
            Program.daemon, ["mint", "--config", config, "--vehicle", "v-1"], environment: token.environment)
        #expect(mint.status == 0, "\(mint.errors)")
        _ = try inspect(mint.output.trimmingCharacters(in: .whitespacesAndNewlines), by: key)
    }

    @Test func `a daemon without hardware loads no module`() throws {
        let daemon = try daemon("credentials: \(key.path)\n")
        _ = try token(daemon, "v-1")
        let maps = try Child.mustRun(["cat", "/proc/\(daemon.process.identifier)/maps"])
        #expect(maps.contains("libcrypto"))
        #expect(!maps.contains("pkcs11.so") && !maps.contains("softhsm"))
    }

    // MARK: - recovery

    @Test func `a token that is removed under load comes back by itself`() throws {
        let daemon = try daemon(hardware)
        let load = try SteadyLoad(on: daemon)
        let admin = try daemon.adminURL()
        try token.set(present: false)
        let refused = try Curl("\(daemon.url)/token?vehicleID=new-1")
        #expect(refused.status == 503)
        #expect(try refused.json()["code"] as? String == "signing_unavailable")
        try daemon.waitForLog("a key in hardware makes no signatures")
        #expect(try Curl("\(daemon.url)/token?vehicleID=new-2").status == 503)
        // Not ready would also keep away the clients whose tokens are cached.
        let readiness = try Curl("\(admin)/readyz")
        #expect(readiness.status == 200)
        let reason = try #require((try readiness.json()["warnings"] as? [String])?.first)
        #expect(reason.hasPrefix("key \(key.keyID): ") && reason.contains("C_Initialize failed"), "\(reason)")
        let cure = try daemon.cure(of: "signing")
        #expect(cure?.hasPrefix("connect the device, and make its module list it") == true, "\(cure ?? "none")")
        try token.set(present: true)
        try Patience.wait(for: "a signature") {
            try Curl("\(daemon.url)/token?vehicleID=new-3").status == 200
        }
        #expect(try Curl("\(admin)/readyz").json()["warnings"] == nil)
        _ = try inspect(token(daemon, "new-4"), by: key)
        // Cached tokens are served all the time.
        try load.expectNoFailure()
        let log = try daemon.log()
        #expect(log.ranges(of: "a key in hardware makes no signatures").count == 1, "\(log)")
        #expect(log.ranges(of: "a key in hardware was opened again").count == 1)
        #expect(!log.contains("no token could be signed"))
        #expect(try daemon.end() == 0)
    }

    @Test func `a PIN that is refused after the token's return waits for another`() throws {
        let daemon = try daemon(hardware)
        try token.set(present: false)
        try scratch.write("pin", "9999\n")
        #expect(try Curl("\(daemon.url)/token?vehicleID=new-1").status == 503)
        try token.set(present: true)
        try daemon.waitForLog("refused the PIN: it is wrong")
        #expect(try daemon.cure(of: "signing")?.hasPrefix("put the token's user PIN into the file") == true)
        #expect(try Curl("\(daemon.url)/token?vehicleID=new-2").status == 503)
        try scratch.write("pin", SoftToken.pin)
        try Patience.wait(for: "a signature") {
            try Curl("\(daemon.url)/token?vehicleID=new-3").status == 200
        }
        #expect(try !daemon.log().contains("9999"))
    }

    @Test func `a token that does not answer delays no cached token`() throws {
        let daemon = try daemon(hardware)
        _ = try token(daemon, "v-1")
        let hold =
            "import fcntl,glob,sys\nfs=[open(p,'r+b') for p in glob.glob(sys.argv[1]+'/*/*')]\n"
            + "for f in fs: fcntl.lockf(f,fcntl.LOCK_EX)\nprint(len(fs),flush=True)\nsys.stdin.read()"
        let script = try scratch.write("hold.py", hold)
        let holder = Process()
        let (input, output) = (Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = ["python3", script, scratch.path("tokens")]
        (holder.standardInput, holder.standardOutput) = (input, output)
        try holder.run()
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        #expect(try Curl("\(daemon.url)/token?vehicleID=new").status == 503)
        for _ in 0..<20 { _ = try token(daemon, "v-1") }
        let readiness = try Curl("\(daemon.adminURL())/readyz")
        #expect(readiness.status == 200)
        #expect(readiness.body.contains("cached driver tokens last until"))
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        try Patience.wait(for: "a signature") {
            try Curl("\(daemon.url)/token?vehicleID=new-2").status == 200
        }
        #expect(try daemon.end() == 0)
    }

    // MARK: - reloads

    /// The sandbox of a start without it allows no module later.
    private var moduleAlone: String { "pkcs11: {module: \(token.module)}\n" }

    @Test func `reloads from a key file to hardware and back lose no request`() throws {
        let file = try ServiceAccountFile(in: scratch, name: "file", keyID: "fedcba9876543210fedcba9876543210fedcba98")
        let inFile = moduleAlone + "credentials: \(file.path)\n"
        let daemon = try daemon(inFile)
        let load = try SteadyLoad(on: daemon)
        for round in 1...6 {
            let isHardware = round % 2 == 1
            _ = try write(isHardware ? hardware : inFile)
            let reload = try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()])
            #expect(reload.status == 0, "\(reload.errors)")
            _ = try inspect(token(daemon, "v-\(round)"), by: isHardware ? key : file)
        }
        try load.expectNoFailure()
        // The module stays mapped, but nothing is open by it.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.identifier)/fd")
        let targets = open.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(daemon.process.identifier)/fd/\($0)")
        }
        #expect(!targets.contains { $0.contains("/tokens/") })
        #expect(try daemon.end() == 0)
    }

    @Test func `a reload takes a key that was replaced on the token`() throws {
        let daemon = try daemon(hardware)
        _ = try inspect(token(daemon, "v-1"), by: key)
        let other = try ServiceAccountFile(in: scratch, name: "other", account: key.account, keyID: "other")
        try token.tool(["--delete-object", "--type", "privkey", "--label", "driver"])
        try token.tool(["--delete-object", "--type", "pubkey", "--label", "driver"])
        try token.add(other, label: "driver")
        _ = try write(token.settings([("driver", "driver")], by: other))
        let reload = try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()])
        #expect(reload.status == 0, "\(reload.errors)")
        _ = try inspect(token(daemon, "v-1"), by: other)
    }

    @Test func `a reload without the token keeps the previous configuration`() throws {
        let daemon = try daemon(moduleAlone + "credentials: \(key.path)\n")
        try token.set(present: false)
        _ = try write(hardware)
        let reload = try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()])
        #expect(reload.status == 1)
        #expect(reload.errors.contains("pkcs11.module: C_Initialize failed"), "\(reload.errors)")
        _ = try token(daemon, "v-1")
    }

    // MARK: - secrets

    /// What the admin listener shows.
    private func pages(_ daemon: DaemonProcess) throws -> String {
        let admin = try daemon.adminURL()
        return try ["metrics", "readyz", "console/data.json"].map { page in
            let answer = try Curl("\(admin)/\(page)")
            #expect(answer.status == 200, "\(page): \(answer.body)")
            return answer.body
        }.joined()
    }

    @Test func `the PIN is in no output, page, record or command line`() throws {
        // Where doctor asks for keys, nothing answers.
        let settings =
            hardware + "audit: {output: file, file: \(scratch.path("audit"))}\n"
            + "google: {keys: 'http://127.0.0.1:1'}\n"
        let daemon = try daemon(settings, ["--log-level", "trace"])
        _ = try token(daemon, "v-1")
        var shown = try pages(daemon)
        try token.set(present: false)
        shown += try Curl("\(daemon.url)/token?vehicleID=new").body
        try daemon.waitForLog("a key in hardware makes no signatures")
        shown += try pages(daemon)
        try token.set(present: true)
        try daemon.waitForLog("a key in hardware was opened again")
        for file in ["cmdline", "environ"] {
            let path = "/proc/\(daemon.process.identifier)/\(file)"
            // Only root can read the environment.
            shown += (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        }
        #expect(try daemon.end() == 0)
        shown += try daemon.log() + daemon.said + scratch.text("audit")
        let diagnoses = try output(of: [["doctor"], ["doctor", "--json"]], settings, status: 1)
        // Both kinds share a connection to the token: the text has one line for them, JSON one for each.
        #expect(diagnoses.ranges(of: "the key \(key.keyID) signed a token here").count == 3, "\(diagnoses)")
        shown += diagnoses
        let broken = settings.replacing("object=driver", with: "object=none")
        shown += try output(of: [["check"], ["jwks"], ["serve"]], broken, status: 78)
        shown += try output(of: [["doctor"], ["doctor", "--json"]], broken, status: 1)
        #expect(shown.contains("has no private key with these attributes"))
        // Both ends of the PIN, neither of which a number or digest can hold.
        #expect(!shown.contains("canary") && !shown.contains("quokka"))
    }

    /// What these commands write about settings.
    private func output(of commands: [[String]], _ settings: String, status: Int32) throws -> String {
        let config = try write(settings)
        return try commands.map { command in
            let outcome = try Program.run(
                Program.daemon, command + ["--config", config], environment: token.environment)
            #expect(outcome.status == status, "\(command): \(outcome.errors)")
            return outcome.output + outcome.errors
        }.joined()
    }
}
