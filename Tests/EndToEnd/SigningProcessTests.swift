import TestSupport
import Foundation
import Testing

/// `signing.process: separate`: keys in a process of their own.
@Suite(.blocking) struct SigningProcessTests {
    private static let setting = ["TOKEN_PROVIDER_SIGNING_PROCESS": "separate"]
    private static let reloaded = "the configuration was reloaded"

    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    private func daemon() throws -> DaemonProcess {
        try DaemonProcess(
            scratch: scratch, key: key, environment: Self.setting.merging(DaemonProcess.withAdmin) { $1 })
    }

    /// The processes that one has started.
    private func children(of process: Int32) throws -> [Int32] {
        let text = try Program.mustRun("cat", ["/proc/\(process)/task/\(process)/children"])
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    /// The process that starts those with keys, and those.
    private func processes(of daemon: DaemonProcess) throws -> (starter: Int32, signing: [Int32]) {
        let starter = try #require(children(of: daemon.process.identifier).first)
        return (starter, try children(of: starter))
    }

    private func verify(_ answer: Curl, by key: ServiceAccountFile) throws {
        #expect(answer.status == 200, "\(answer.body)")
        let body = try answer.json()
        let token = try #require((body["jwt"] ?? body["VEHICLE_TOKEN_KEY"]) as? String)
        let report = try Program.run(Program.daemon, ["inspect", "--key", key.publicKeyPath, token])
        #expect(report.status == 0, "\(report.output)")
    }

    @Test func `only the signing process has the key, and it has no sockets`() throws {
        let daemon = try daemon()
        for id in 0..<5 { try verify(Curl("\(daemon.url)/token?vehicleID=v-\(id)"), by: key) }
        let (starter, signing) = try processes(of: daemon)
        #expect(signing.count == 1)
        for process in [daemon.process.identifier, starter] {
            let found = try KeyScan(of: process, for: [key.path]).keys[0]
            #expect(found.values.allSatisfy { $0.isEmpty }, "process \(process): \(found)")
        }
        let found = try KeyScan(of: signing[0], for: [key.path])
        #expect(found.keys[0]["PEM"] == [:])
        #expect(found.keys[0]["p"] == ["locked": 2])
        #expect(found.lockedKibibytes > 0)
        for process in [starter, signing[0]] {
            let status = try Program.mustRun("cat", ["/proc/\(process)/status"])
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
        }
        #expect(try Curl("\(daemon.adminURL())/readyz").json()["signing_process"] as? String == "separate")
        #expect(try daemon.end() == 0)
    }

    @Test func `a killed signing process is replaced, and says so once`() throws {
        let daemon = try daemon()
        let killed = try #require(processes(of: daemon).signing.first)
        try #require(kill(killed, SIGKILL) == 0)
        try daemon.waitForLog("the signing process ended; no tokens are signed until it runs again")
        try daemon.waitForLog("the signing process runs again")
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        #expect(try processes(of: daemon).signing.contains(killed) == false)
        let metrics = try Curl("\(daemon.adminURL())/metrics").body
        #expect(metrics.contains("token_provider_signing_process_up 1"))
        #expect(metrics.contains("token_provider_signing_process_restarts_total 1"))
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().ranges(of: "the signing process runs again").count == 1)
    }

    @Test func `a signing process that stands still is replaced`() throws {
        let daemon = try daemon()
        let stopped = try #require(processes(of: daemon).signing.first)
        try #require(kill(stopped, SIGSTOP) == 0)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1").status == 503)
        try daemon.waitForLog("the signing process runs again")
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        try #require(kill(stopped, SIGCONT) == 0)
        try Patience.wait(for: "its end") { try !processes(of: daemon).signing.contains(stopped) }
        #expect(try daemon.end() == 0)
    }

    @Test func `signing processes that hang one after another are replaced`() throws {
        let daemon = try daemon()
        var stopped: Set<Int32> = []
        for round in 1...4 {
            let process = try #require(processes(of: daemon).signing.first { !stopped.contains($0) })
            try #require(kill(process, SIGSTOP) == 0)
            stopped.insert(process)
            #expect(try Curl("\(daemon.url)/token?vehicleID=v-\(round)").status == 503)
            try Patience.wait(for: "its successor") {
                try daemon.log().ranges(of: "the signing process runs again").count == round
            }
            try verify(Curl("\(daemon.url)/token?vehicleID=v-\(round)"), by: key)
            // What hangs is killed once its place is needed.
            #expect(try (1...2).contains(processes(of: daemon).signing.count))
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `a refused reload reads no key in the serving process`() throws {
        let configuration =
            "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\nsigning: {process: separate}\nsandbox: off\n"
        let path = try scratch.write("token-provider.yaml", configuration)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        // A process that reads this file logs what is wrong with it.
        try scratch.write("new.json", "{}", permissions: 0o600)
        try #require(rename(scratch.path("new.json"), key.path) == 0)
        try scratch.write("token-provider.yaml", configuration + "token: {audience: \"https://x/\"}\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("from the start; restart to apply")
        #expect(try !daemon.log().contains("key.json:"))
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        #expect(try daemon.end() == 0)
    }

    @Test func `without a key to start again, new tokens get 503`() throws {
        let daemon = try daemon()
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        let killed = try #require(processes(of: daemon).signing.first)
        try #require(rename(key.path, scratch.path("away.json")) == 0)
        try #require(kill(killed, SIGKILL) == 0)
        try daemon.waitForLog("the signing process cannot be started")
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-2").status == 503)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        #expect(try Curl("\(daemon.adminURL())/readyz").status == 503)
        try #require(rename(scratch.path("away.json"), key.path) == 0)
        try daemon.waitForLog("the signing process runs again")
        try verify(Curl("\(daemon.url)/token?vehicleID=v-3"), by: key)
        #expect(try daemon.end() == 0)
    }

    @Test func `after a crash, a replaced key signs only once it is reloaded`() throws {
        let daemon = try daemon()
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        let killed = try #require(processes(of: daemon).signing.first)
        let new = try ServiceAccountFile(in: scratch, keyID: "new-key")
        try #require(kill(killed, SIGKILL) == 0)
        try daemon.waitForLog("the keys have changed since they were loaded; reload to apply")
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-2").status == 503)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1").status == 200)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-2"), by: new)
        #expect(try daemon.end() == 0)
    }

    @Test func `a reload signs with a new key, or keeps the old one`() throws {
        let daemon = try daemon()
        try scratch.write("new.json", "{}", permissions: 0o600)
        try #require(rename(scratch.path("new.json"), key.path) == 0)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("not reloaded; the previous configuration stays")
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        let new = try ServiceAccountFile(in: scratch, keyID: "new-key")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-2"), by: new)
        try Patience.wait(for: "the end of the old process") { try processes(of: daemon).signing.count == 1 }
        #expect(try daemon.end() == 0)
    }

    @Test func `a reload without memory to load keys is tried again`() throws {
        let path = try scratch.write(
            "token-provider.yaml",
            "{listen: '127.0.0.1:0', callers: none, credentials: key.json, signing: {process: separate}, reload: {watch: 1s}}"
        )
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        let starter = try "\(processes(of: daemon).starter)"
        try Program.mustRun("prlimit", ["--pid", starter, "--as=1:"])
        let new = try ServiceAccountFile(in: scratch, keyID: "new-key")
        try daemon.waitForLog("signing.process: the signing process ended before it had loaded the keys")
        try Program.mustRun("prlimit", ["--pid", starter, "--as=unlimited:"])
        try daemon.waitForLog(Self.reloaded)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: new)
        #expect(try daemon.end() == 0)
    }

    /// A replaced key signs for requests from before the reload, until another process starts.
    @Test(arguments: [(keys: 0, reloads: 3, status: "200"), (1, 1, "200"), (1, 2, "503"), (3, 3, "503")])
    func `reloads do not wait for requests in progress`(keys: Int, reloads: Int, status: String) throws {
        let backEnd = try BackEnd()
        let path = try scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: key.json
            signing: {process: separate}
            forward_auth: {url: "\(backEnd.url)", timeout: 60s}
            rules: [{name: riders, kinds: [consumer], forward_auth: true}]
            """)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        let held = try BackgroundCurl("\(daemon.url)/token?tripID=held-1")
        try Patience.wait(for: "the question") { try backEnd.seen().active == 1 }
        for round in 1...reloads {
            if round <= keys { _ = try ServiceAccountFile(in: scratch, keyID: "key-\(round)") }
            daemon.process.send(SIGHUP)
            try Patience.wait(for: "reload \(round)") {
                try daemon.log().ranges(of: Self.reloaded).count == round
            }
            #expect(try processes(of: daemon).signing.count <= 2)
        }
        #expect(try backEnd.seen().active == 1)
        try backEnd.releaseAll()
        #expect(try held.status() == status)
        try Patience.wait(for: "the end of the old process") { try processes(of: daemon).signing.count == 1 }
        #expect(try Curl("\(daemon.url)/token?tripID=allow-1").status == 200)
        #expect(try daemon.end() == 0)
        #expect(try !daemon.log().contains("the signing process ended"))
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `a daemon that was taken over gets only the start's tokens`() throws {
        let elsewhere = try Scratch()
        defer { withExtendedLifetime(elsewhere) {} }
        let other = try ServiceAccountFile(in: elsewhere, name: "other", keyID: "other-key")
        let library = scratch.path("hostile.so")
        let source = try scratch.write("hostile.c", "int hostile;")
        try Program.mustRun("clang", ["-shared", "-fPIC", "-o", library, source])
        let configuration = try scratch.write(
            "token-provider.yaml",
            """
            {listen: "127.0.0.1:0", callers: none, credentials: key.json, signing: {process: separate},
            kinds: {enabled: [consumer]}, token: {lifetime: 10m, backdate: 1m}}
            """)
        let daemon = try DaemonProcess(["serve", "--config", configuration], scratch: scratch)
        let got = try PythonClients.runAsRoot(
            "stolen_orders.py", ["\(daemon.process.identifier)", key.path, other.path, library])
        // Nothing but the order to load counts, and that names no key, no library and no descriptors but sockets.
        #expect(got["refused"] is NSNull)
        #expect(got["entries"] as? [[String]] == [["account", "key_id", "public_key", "source"]])
        #expect(got["runs_library"] as? Bool == false)
        #expect(got["kept"] as? [String] == [])
        // The sandbox of the process that starts it, and its own.
        #expect(got["filters"] as? String == "2")
        #expect(got["signed"] as? [String] == ["token"])
        #expect(got["processes"] as? Int == 2)
        #expect(
            got["failures"] as? [String] == [
                "\(key.path): cannot be used; expected what token-provider check accepts, which tells more",
                "\(key.path): does not exist",
            ])
    }

    @Test func `a batch of tasks as long as limits allow is signed`() throws {
        let limits = [
            "TOKEN_PROVIDER_HTTP_MAX_LINE": "1MiB", "TOKEN_PROVIDER_HTTP_MAX_HEADER_SIZE": "1MiB",
            "TOKEN_PROVIDER_LIMITS_MEMORY": "256MiB",
        ]
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: Self.setting.merging(limits) { $1 })
        // A machine under load may take longer for it than the process has.
        try Patience.wait(for: "its token") {
            let got = try PythonClients.run("long_batch.py", [daemon.port])
            return got["status"] as? Int == 200 && got["bytes"] as? Int ?? 0 > 128_000
        }
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `neither process with keys opens a socket, a file or reaches another`() throws {
        let daemon = try daemon()
        let (starter, signing) = try processes(of: daemon)
        let refused = -Int(EPERM)
        for process in try [starter, #require(signing.first)] {
            for family in [AF_UNIX, AF_INET, AF_INET6] {
                #expect(try TracedCall.result(of: .socket, "\(family)", "1", "0", in: process) == refused)
            }
            let daemon = "\(daemon.process.identifier)"
            #expect(try TracedCall.result(of: .kill, daemon, "0", in: process) == refused)
            #expect(try TracedCall.result(of: .memfd_create, "/name", "0", in: process) == refused)
            #expect(try TracedCall.result(of: .shmget, "0", "4096", "384", in: process) == refused)
            let flags = "\(O_RDWR)"
            #expect(try TracedCall.result(of: .openat, "\(AT_FDCWD)", key.path, flags, in: process) == refused)
        }
        #expect(
            try TracedCall.result(of: .openat, "\(AT_FDCWD)", key.path, "\(O_RDONLY)", in: signing[0]) == refused)
        // What starts them reads the folders of its keys, and no other's.
        let elsewhere = try Scratch()
        defer { withExtendedLifetime(elsewhere) {} }
        let other = try ServiceAccountFile(in: elsewhere)
        for (path, isRead) in [(key.path, true), (other.path, false), ("/etc/hosts", false)] {
            let result = try TracedCall.result(of: .openat, "\(AT_FDCWD)", path, "\(O_RDONLY)", in: starter)
            #expect(isRead ? result >= 0 : result == -Int(EACCES), "\(path)")
        }
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        #expect(try daemon.end() == 0)
    }

    /// What the daemon gets of an attempt to read a file: a descriptor, or a negative errno.
    private func reading(_ path: String, _ daemon: DaemonProcess) throws -> Int {
        try TracedCall.result(
            of: .openat, "\(AT_FDCWD)", path, "\(O_RDONLY)", in: daemon.process.identifier)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `the daemon cannot read a key beside its configuration`() throws {
        let path = try scratch.write(
            "token-provider.yaml",
            "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\nsigning: {process: separate}\n")
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        #expect(try reading(key.path, daemon) == -Int(EACCES))
        #expect(try reading(path, daemon) >= 0)
        try daemon.waitForLog("signing.process: key files are in \(scratch.folder.path), where the serving process")
        let new = try ServiceAccountFile(in: scratch, keyID: "new-key")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: new)
        #expect(try reading(key.path, daemon) == -Int(EACCES))
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `the daemon reads neither systemd's copy of a key nor its original`() throws {
        let (copies, sources) = (try Scratch(), try Scratch())
        let original = try ServiceAccountFile(in: sources, keyID: "original")
        let copy = try copies.write(
            "key.json", String(contentsOfFile: original.path, encoding: .utf8), permissions: 0o600)
        let other = try copies.write("other", "")
        let folders = [
            "CREDENTIALS_DIRECTORY": copies.folder.path, "TOKEN_PROVIDER_CREDENTIAL_SOURCES": sources.folder.path,
            "GOOGLE_APPLICATION_CREDENTIALS": copy,
        ]
        let daemon = try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0"], environment: Self.setting.merging(folders) { $1 }, scratch: scratch)
        for path in [copy, original.path] { #expect(try reading(path, daemon) == -Int(EACCES), "\(path)") }
        #expect(try reading(other, daemon) >= 0)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: original)
        #expect(try daemon.end() == 0)
    }

    @Test func `a kernel that confines no signing process is reported`() throws {
        let daemon = try DaemonProcess(
            under: ["python3", PythonClients.path("without_sandbox.py")],
            ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"],
            environment: Self.setting, scratch: scratch)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        for part in ["Landlock", "filter of system calls"] {
            try daemon.waitForLog("signing.process: the sandbox has no \(part): Function not implemented")
        }
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().ranges(of: "signing.process: the sandbox has no").count == 2)
    }

    @Test func `a killed daemon leaves no signing process`() throws {
        let daemon = try daemon()
        let (starter, signing) = try processes(of: daemon)
        try #require(signing.count == 1)
        try daemon.end(by: SIGKILL)
        for process in [starter] + signing {
            try Patience.wait(for: "the end of \(process)") {
                // Its parent may not have waited for it.
                let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                return state?.contains(") Z ") != false
            }
        }
    }

    @Test func `a reload that changes how keys are loaded says restart`() throws {
        let configuration = "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\nsigning: {process: separate"
        let (token, kinds) = ("\ntoken: {lifetime: 30m}", "\nkinds: {enabled: [driver]}")
        let usual = "}\(token)\(kinds)"
        let path = try scratch.write("token-provider.yaml", configuration + usual + "\n")
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        for (change, kept) in [
            (
                ", batch: off}\ntoken: {lifetime: 30m, audience: \"https://x/\"}\(kinds)",
                "the audiences of tokens, signing.batch"
            ),
            (
                "}\(token)\nkinds: {enabled: [driver], driver: {credentials: other.json}}",
                "the key files, the kinds of each key"
            ),
            ("}\(token)\nkinds: {enabled: [driver, consumer]}", "the kinds of each key"),
            ("}\ntoken: {lifetime: 31m}\(kinds)", "the longest lifetime"),
            (usual + "\nallow_default_service_accounts: true", "allow_default_service_accounts"),
            (usual + "\ncredentials_allowed_hosts: [keys.example.com]", "credentials_allowed_hosts"),
            (usual + "\ngoogle: {universe_domain: example.com}", "google.universe_domain"),
        ] {
            try scratch.write("token-provider.yaml", configuration + change + "\n")
            daemon.process.send(SIGHUP)
            try daemon.waitForLog(
                "signing.process: the signing process keeps \(kept) from the start; restart to apply the change")
        }
        // A shorter lifetime stays within the terms.
        let less = usual.replacing("30m", with: "29m")
        try scratch.write("token-provider.yaml", configuration + less + "\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        #expect(try daemon.end() == 0)
    }

    @Test func `a daemon that loses the starting process ends with an error`() throws {
        let daemon = try daemon()
        try #require(kill(processes(of: daemon).starter, SIGKILL) == 0)
        #expect(try daemon.process.wait() == 1)
        #expect(try daemon.log().contains("the process that starts the signing process ended"))
    }

    @Test(arguments: ["serve", "check"])
    func `a key file that asks Google is refused once`(command: String) throws {
        let outcome = try Program.refusal(
            [command, "--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"],
            environment: Self.setting.merging(["TOKEN_PROVIDER_SIGN_AS": "other@my-fleet.iam.gserviceaccount.com"]) {
                $1
            })
        #expect(outcome.status == 78)
        let reason = "is a key that would ask Google to sign for other@my-fleet.iam.gserviceaccount.com"
        #expect(outcome.errors.ranges(of: reason).count == 1)
    }

    @Test func `a broken key file stops the start with its sentence`() throws {
        try scratch.write("broken.json", "{}", permissions: 0o600)
        let outcome = try Program.refusal(
            ["serve", "--listen", "127.0.0.1:0", "--credentials", scratch.path("broken.json"), "--callers", "none"],
            environment: Self.setting)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("broken.json: type is missing; expected a string"), "\(outcome.errors)")
    }

    @Test(arguments: ["audit", "./audit", "log/../audit", "link/audit"])
    func `an audit log in the key's folder is refused in every spelling`(audit: String) throws {
        try scratch.write(
            "token-provider.yaml",
            "{listen: \"127.0.0.1:0\", callers: none, credentials: key.json, signing: {process: separate}, "
                + "audit: {output: file, file: \(audit)}}")
        try FileManager.default.createDirectory(atPath: scratch.path("log"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: ".")
        for command in ["check", "serve"] {
            let outcome = try Program.run(
                "/usr/bin/env",
                ["--chdir=\(scratch.folder.path)", Program.daemon, command, "--config", "token-provider.yaml"])
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("audit.file is in a folder of the key file key.json"), "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("audit")))
    }

    @Test(arguments: [
        ("credentials: KEYS/key.json, audit: {output: file, file: link}", "audit.file", "KEYS/key.json"),
        ("credentials: application_default, audit: {output: file, file: KEYS/log}", "audit.file", "KEYS/key.json"),
        ("credentials: COPIES/key.json, audit: {output: file, file: KEYS/log}", "audit.file", "KEYS/key.json"),
        (
            "credentials: KEYS/key.json, audit: {output: file, file: log, checkpoints: link}", "audit.checkpoints",
            "KEYS/key.json"
        ),
        ("credentials: KEYS/key.json, listeners: [{address: \"unix:KEYS/s\"}]", "listeners", "KEYS/key.json"),
    ])
    func `no setting gives rights in a key's folder`(settings: String, setting: String, file: String) throws {
        let (keys, copies) = (try Scratch(), try Scratch())
        let key = try ServiceAccountFile(in: keys)
        try copies.write("key.json", String(contentsOfFile: key.path, encoding: .utf8))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("link"), withDestinationPath: keys.path("linked"))
        func named(_ text: String) -> String {
            text.replacing("KEYS", with: keys.folder.path).replacing("COPIES", with: copies.folder.path)
        }
        let configuration = try scratch.write(
            "token-provider.yaml",
            named("{listen: \"127.0.0.1:0\", callers: none, signing: {process: separate}, \(settings)}"))
        let variables = [
            "GOOGLE_APPLICATION_CREDENTIALS": key.path, "CREDENTIALS_DIRECTORY": copies.folder.path,
            "TOKEN_PROVIDER_CREDENTIAL_SOURCES": keys.folder.path,
        ]
        for command in ["check", "serve"] {
            let outcome = try Program.run(
                "timeout", ["600", Program.daemon, command, "--config", configuration], environment: variables)
            #expect(outcome.status == 78)
            #expect(
                outcome.errors.contains("token-provider.yaml:1:"), "the place of the setting: \(outcome.errors)")
            #expect(
                outcome.errors.contains("\(setting) is in a folder of the key file \(named(file)), which the process"),
                "\(outcome.errors)")
        }
    }

    @Test func `a reload to a key that the serving process can read fails`() throws {
        for version in ["v1", "v2"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path(version), withIntermediateDirectories: false)
            try FileManager.default.copyItem(atPath: key.path, toPath: scratch.path("\(version)/key.json"))
        }
        try FileManager.default.createSymbolicLink(atPath: scratch.path("current"), withDestinationPath: "v1")
        let path = try scratch.write(
            "token-provider.yaml",
            "listen: 127.0.0.1:0\ncallers: none\ncredentials: current/key.json\nsigning: {process: separate}\n")
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        try FileManager.default.createSymbolicLink(atPath: scratch.path("next"), withDestinationPath: "v2")
        try #require(rename(scratch.path("next"), scratch.path("current")) == 0)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the serving process can read the key file")
        try verify(Curl("\(daemon.url)/token?vehicleID=v-1"), by: key)
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: [
        // The folder of the audit log, and one below the folder of the configuration.
        "mount --bind KEYS seen", "mount --bind KEYS 'some where'", "mount --bind KEYS/.. 'some where'",
        "ln KEY seen/link",
        // Nothing can be said of a path that is not UTF-8.
        "mkdir \"$(printf 'other\\351')\" && mount --bind KEYS \"$(printf 'other\\351')\"",
    ])
    func `a key file that mounts or links show elsewhere is refused`(change: String) throws {
        let keys = try Scratch()
        let key = try ServiceAccountFile(in: keys)
        let path = try scratch.write(
            "token-provider.yaml",
            """
            {listen: "127.0.0.1:0", callers: none, credentials: \(key.path), signing: {process: separate},
            audit: {output: file, file: seen/log}}
            """)
        for folder in ["seen", "some where"] {
            try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: false)
        }
        let command = change.replacing("KEYS", with: keys.folder.path).replacing("KEY", with: key.path)
        let outcome = try Program.run(
            "timeout",
            [
                "600", "unshare", "-m", "sh", "-c",
                "cd \(scratch.folder.path) && \(command) && exec \"$0\" serve --config \(path)", Program.daemon,
            ])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("the serving process can read the key file \(key.path)"), "\(outcome.errors)")
    }

    @Test func `a mount after the start makes a reload fail`() throws {
        let keys = try Scratch()
        let key = try ServiceAccountFile(in: keys)
        let path = try scratch.write(
            "token-provider.yaml",
            "{listen: \"127.0.0.1:0\", callers: none, credentials: \(key.path), signing: {process: separate}}")
        let daemon = try DaemonProcess(under: ["unshare", "-m"], ["serve", "--config", path], scratch: scratch)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        let below = scratch.path("below")
        try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: false)
        try Program.mustRun(
            "nsenter", ["-m", "-t", "\(daemon.process.identifier)", "mount", "--bind", keys.folder.path, below])
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the serving process can read the key file \(key.path)")
        #expect(try daemon.end() == 0)
    }

    @Test func `check says that keys are in a process of their own`() throws {
        let report = try Program.run(
            Program.daemon, ["check", "--credentials", key.path], environment: Self.setting)
        #expect(report.status == 0)
        #expect(report.output.contains("in a process of their own"), "\(report.output)")
    }
}
