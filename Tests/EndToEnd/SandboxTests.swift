import Foundation
import TestSupport
import Testing

/// The real binary confines itself, and goes on to do all that its configuration needs.
@Suite(.blocking) struct SandboxTests {
    private static let reloaded = "the configuration was reloaded"
    private static var confined: Regex<Substring> {
        #/confined by Landlock \(version \d+: files.*\) and a filter of system calls/#
    }

    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// The values of a field of /proc/PID/task/TID/status, one for each thread.
    private func field(_ name: String, of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap { thread in
            // A thread may have ended meanwhile.
            guard let status = try? Program.mustRun("cat", ["/proc/\(process)/task/\(thread)/status"]) else {
                return nil
            }
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
            return try #require(line.split(separator: "\t").last).description
        }
    }

    @Test func `every thread is confined, and says so once`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: DaemonProcess.withAdmin)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try Curl("\(daemon.adminURL())/metrics").status == 200)
        try daemon.waitForLog("confined by")
        #expect(try daemon.log().matches(of: Self.confined).count == 1)
        let modes = try field("Seccomp", of: daemon.process.identifier)
        #expect(modes.count > 2)
        #expect(Set(modes) == ["2"])
        #expect(Set(try field("NoNewPrivs", of: daemon.process.identifier)) == ["1"])
        #expect(try daemon.end() == 0)
    }

    @Test func `sandbox off leaves it as it was started`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_SANDBOX": "off"])
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        let own = try Set(field("Seccomp", of: getpid()))
        #expect(try Set(field("Seccomp", of: daemon.process.identifier)) == own)
        #expect(try daemon.end() == 0)
        #expect(try !daemon.log().contains("confined"))
    }

    /// Whether the daemon is refused all of these calls, not only because a kernel does not know them.
    private func expectRefusals(_ calls: [(TracedCall.Number, [String])], in daemon: DaemonProcess) throws {
        for (call, arguments) in calls {
            let result = try TracedCall.result(of: call, arguments, in: daemon.process.identifier)
            #expect([-Int(EPERM), -Int(ENOSYS)].contains(result), "\(call) \(arguments): \(result)")
        }
    }

    /// A daemon that may write in a folder beside that of its key.
    private func auditing() throws -> (DaemonProcess, folder: String) {
        let folder = scratch.path("log")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let environment = ["TOKEN_PROVIDER_AUDIT_OUTPUT": "file", "TOKEN_PROVIDER_AUDIT_FILE": "\(folder)/audit"]
        return (try DaemonProcess(scratch: scratch, key: key, environment: environment), folder)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `permissions, owners, times and attributes of files cannot be changed`() throws {
        let (daemon, folder) = try auditing()
        let (path, here) = ("\(folder)/audit", "\(AT_FDCWD)")
        let before = try Program.mustRun("stat", ["-c", "%a %u %Y", path])
        try expectRefusals(
            [
                (.chmod, [path, "438"]), (.fchmod, ["2", "438"]), (.fchmodat, [here, path, "438"]),
                (.fchmodat2, [here, path, "438", "0"]), (.chown, [path, "1", "1"]), (.lchown, [path, "1", "1"]),
                (.fchown, ["2", "1", "1"]), (.fchownat, [here, path, "1", "1", "0"]), (.utime, [path, "0"]),
                (.utimes, [path, "0"]), (.futimesat, [here, path, "0"]), (.utimensat, [here, path, "0", "0"]),
                (.setxattr, [path, "/user.x", "/v", "1", "0"]), (.lsetxattr, [path, "/user.x", "/v", "1", "0"]),
                (.fsetxattr, ["2", "/user.x", "/v", "1", "0"]), (.removexattr, [path, "/user.x"]),
            ], in: daemon)
        #expect(try Program.mustRun("stat", ["-c", "%a %u %Y", path]) == before)
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `no file is made that runs as its owner or group`() throws {
        let (daemon, folder) = try auditing()
        let (path, here, flags) = ("\(folder)/new", "\(AT_FDCWD)", "\(O_CREAT | O_WRONLY)")
        for mode in [0o4755, 0o2755, 0o1755] {
            let mode = "\(mode)"
            try expectRefusals(
                [
                    (.open, [path, flags, mode]), (.openat, [here, path, flags, mode]), (.creat, [path, mode]),
                    (.openat, [here, folder, "\(0o20000000 | O_DIRECTORY | O_WRONLY)", mode]),
                    (.openat2, [here, path, "0", "24"]), (.mkdir, [path, mode]), (.mkdirat, [here, path, mode]),
                    (.mknod, [path, mode, "0"]), (.mknodat, [here, path, mode, "0"]),
                    (.mq_open, ["/q", flags, mode, "0"]),
                ], in: daemon)
        }
        let process = daemon.process.identifier
        #expect(try TracedCall.result(of: .openat, here, path, flags, "\(0o755)", in: process) >= 0)
        // Without O_CREAT there is no mode.
        #expect(try TracedCall.result(of: .openat, here, path, "\(O_RDONLY)", "\(0o4755)", in: process) >= 0)
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `files are emptied only where they can be written`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let here = "\(AT_FDCWD)"
        try expectRefusals(
            [
                (.truncate, [key.path, "0"]), (.open, [key.path, "\(O_RDONLY | O_TRUNC)"]),
                (.openat, [here, key.path, "\(O_RDONLY | O_TRUNC)"]),
            ], in: daemon)
        let result = try TracedCall.result(of: .openat, here, key.path, "\(O_WRONLY)", in: daemon.process.identifier)
        #expect(result == -Int(EACCES))
        #expect(try scratch.text("key.json").isEmpty == false)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `only sockets of the configuration's kinds can be made`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let process = daemon.process.identifier
        let (inet, inet6) = ("\(AF_INET)", "\(AF_INET6)")
        for family in [inet, inet6] {
            for (type, protocols) in [("1", ["0", "6"]), ("2", ["0", "17"])] {
                for number in protocols {
                    #expect(try TracedCall.result(of: .socket, family, type, number, in: process) >= 0)
                }
            }
            // Raw sockets, those of ICMP, and multipath TCP.
            try expectRefusals(
                [(.socket, [family, "3", "1"]), (.socket, [family, "2", "1"]), (.socket, [family, "1", "262"])],
                in: daemon)
        }
        // Netlink: of routes, but not of the audit system and of nftables.
        #expect(try TracedCall.result(of: .socket, "16", "3", "0", in: process) >= 0)
        try expectRefusals(
            [
                ("16", "3", "9"), ("16", "3", "12"), ("17", "3", "768"), ("1", "1", "0"), ("1", "2", "0"),
                ("1", "5", "0"),
            ].map {
                (.socket, [$0.0, $0.1, $0.2])
            }, in: daemon)
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `a unix socket to listen at allows stream sockets alone`() throws {
        let socket = scratch.path("s")
        let daemon = try DaemonProcess(
            ["serve", "--listen", "unix:\(socket)", "--credentials", key.path, "--callers", "none"],
            environment: ["TOKEN_PROVIDER_HTTP_UNIX_SOCKET_MODE": "0620"], scratch: scratch)
        #expect(try TracedCall.result(of: .socket, "1", "1", "0", in: daemon.process.identifier) >= 0)
        try expectRefusals([(.socket, ["1", "2", "0"])], in: daemon)
        #expect(try Program.mustRun("stat", ["-c", "%a", socket]) == "620\n")
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `memory is never both written and run`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let process = daemon.process.identifier
        let (none, anonymous, shared) = ("-1", "34", "33")
        let page = "\(try TracedCall.result(of: .mmap, "0", "4096", "3", anonymous, none, "0", in: process))"
        try expectRefusals(
            [
                (.memfd_create, ["/name", "0"]), (.mmap, ["0", "4096", "7", anonymous, none, "0"]),
                (.mmap, ["0", "4096", "5", shared, none, "0"]), (.mprotect, [page, "4096", "5"]),
                (.shmat, ["0", "0", "32768"]),
            ], in: daemon)
        let path = try LoadedLibrary.path(of: "libc.so.6")
        let library = try TracedCall.result(of: .openat, "\(AT_FDCWD)", path, "0", in: process)
        #expect(try TracedCall.result(of: .mmap, "0", "4096", "5", "2", "\(library)", "0", in: process) > 0)
        try expectRefusals([(.mmap, ["0", "4096", "5", "1", "\(library)", "0"])], in: daemon)
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `programs, debuggers, mounts, namespaces, keyrings and devices are out of reach`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        try expectRefusals(
            [
                (.execve, ["/bin/true", "0", "0"]), (.fork, []), (.ptrace, ["16", "1", "0", "0"]),
                (.mount, ["/tmp", "/mnt", "/x", "4096", "0"]), (.unshare, ["268435456"]),
                (.add_key, ["/user", "/x", "/x", "1", "-3"]), (.io_uring_setup, ["1", "0"]), (.setuid, ["0"]),
                (.finit_module, ["2", "/x", "0"]), (.ioctl, ["2", "21522", "/x"]),
                // FS_IOC_SETFLAGS: whether a file can be changed at all.
                (.ioctl, ["2", "1074292226", "/x"]),
            ], in: daemon)
        #expect(try daemon.end() == 0)
    }

    /// What Landlock sees of no version, and no filter can judge: names, and what others share with this user.
    @Test(.enabled(if: TracedCall.isPossible))
    func `what the sandbox leaves is what the security model says`() throws {
        let elsewhere = try Scratch()
        let other = try elsewhere.write("other", "")
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let process = daemon.process.identifier
        func result(_ call: TracedCall.Number, _ arguments: String...) throws -> Int {
            try TracedCall.result(of: call, arguments, in: process)
        }
        let here = "\(AT_FDCWD)"
        #expect(try result(.openat, here, other, "\(O_RDONLY)") == -Int(EACCES))
        #expect(try result(.access, other, "4") == 0)
        #expect(try result(.listxattr, other, "0", "0") >= 0)
        let watch = "\(try result(.inotify_init))"
        #expect(try result(.inotify_add_watch, watch, elsewhere.folder.path, "256") >= 0)
        try expectRefusals([(.shmget, ["0", "4096", "384"])], in: daemon)
        // Signals since version 6.
        let isScoped = try daemon.log().contains("abstract sockets, signals)")
        #expect(try result(.kill, "\(getpid())", "0") == (isScoped ? -Int(EPERM) : 0))
        // As root, also the environment and the memory map of others.
        for file in ["environ", "maps"] {
            let opened = try result(.openat, here, "/proc/\(getpid())/\(file)", "\(O_RDONLY)")
            #expect((opened >= 0) == (geteuid() == 0), "\(file): \(opened)")
        }
        // Its own memory is read, and that of others neither by this nor by other calls.
        #expect(try result(.openat, here, "/proc/self/mem", "\(O_RDONLY)") >= 0)
        try expectRefusals([(.process_vm_readv, ["\(getpid())", "0", "0", "0", "0", "0"])], in: daemon)
        for (path, flags) in [("/proc/self/mem", O_RDWR), ("/proc/\(getpid())/mem", O_RDONLY)] {
            #expect(try [-Int(EACCES), -Int(EPERM)].contains(result(.openat, here, path, "\(flags)")), "\(path)")
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `a kernel without Landlock and filters is reported`() throws {
        let config = try scratch.write(
            "token-provider.yaml", "{listen: '127.0.0.1:0', callers: none, credentials: key.json}")
        let without = ["python3", PythonClients.path("without_sandbox.py")]
        let daemon = try DaemonProcess(under: without, ["serve", "--config", config], scratch: scratch)
        try daemon.waitForLog("has no Landlock: Function not implemented; expected Linux 5.13")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.end() == 0)
        let check = try Program.run("env", without + [Program.daemon, "check", "--config", config])
        #expect(check.status == 0)
        #expect((check.output + check.errors).contains("has no Landlock"), "\(check.output) \(check.errors)")
    }

    /// The environment in which the kernel's Landlock seems to be of an older version.
    private func olderLandlock(_ version: Int) throws -> [String: String] {
        let library = scratch.path("older_landlock.so")
        try Program.mustRun(
            "clang", ["-shared", "-fPIC", "-o", library, PythonClients.path("older_landlock.c"), "-ldl"])
        return ["LD_PRELOAD": library, "LANDLOCK_VERSION": "\(version)"]
    }

    @Test(.enabled(if: TracedCall.isPossible), arguments: [3, 4])
    func `TCP ports of its choice are bound only before version 4`(version: Int) throws {
        let daemon = try DaemonProcess(
            ["serve", "--listen", "unix:\(scratch.path("s"))", "--credentials", key.path, "--callers", "none"],
            environment: olderLandlock(version), scratch: scratch)
        let process = daemon.process.identifier
        for (type, isFree) in [("1", version < 4), ("2", true)] {
            let socket = try TracedCall.result(of: .socket, "\(AF_INET)", type, "0", in: process)
            // A port of 127.0.0.1 that nothing else uses.
            let address = "hex:0200000\(version) 7f000001 0000000000000000"
            let result = try TracedCall.result(of: .bind, "\(socket)", address, "16", in: process)
            #expect(result == (isFree ? 0 : -Int(EACCES)), "type \(type)")
        }
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible), arguments: 1...5)
    func `with an older Landlock the filter refuses what it can`(version: Int) throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: olderLandlock(version))
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.log().contains("confined by Landlock (version \(version): files"))
        try expectRefusals(
            [
                (.truncate, [key.path, "0"]), (.openat, ["\(AT_FDCWD)", key.path, "\(O_RDONLY | O_TRUNC)"]),
                (.socket, ["1", "1", "0"]), (.ioctl, ["0", "\(UInt(TIOCSTI))", "0"]),
            ], in: daemon)
        let elsewhere = try Scratch()
        let other = try elsewhere.write("other", "")
        let process = daemon.process.identifier
        #expect(try TracedCall.result(of: .openat, "\(AT_FDCWD)", other, "\(O_RDONLY)", in: process) == -Int(EACCES))
        #expect(try TracedCall.result(of: .kill, "\(getpid())", "0", in: process) == 0)
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `folders and ports leave what the security model says`() throws {
        let log = try Scratch()
        let listening = try Scratch()
        let other = try listening.write("other", "")
        try FileManager.default.createDirectory(atPath: listening.path("folder"), withIntermediateDirectories: false)
        let below = try listening.write("folder/below", "")
        let path = try scratch.write(
            "token-provider.yaml",
            """
            {listen: "unix:\(listening.path("socket"))", callers: none, credentials: \(key.path),
            audit: {output: file, file: "\(log.path("audit"))"}}
            """)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        func result(_ call: TracedCall.Number, _ arguments: String...) throws -> Int {
            try TracedCall.result(of: call, arguments, in: daemon.process.identifier)
        }
        // A file beside the audit log is written and run; beside the key it is not.
        let (here, flags) = ("\(AT_FDCWD)", "\(O_RDWR | O_CREAT)")
        let program = try result(.openat, here, log.path("program"), flags, "384")
        #expect(try result(.mmap, "0", "4096", "\(PROT_READ | PROT_EXEC)", "\(MAP_PRIVATE)", "\(program)", "0") > 0)
        #expect(try result(.openat, here, scratch.path("program"), flags, "384") == -Int(EACCES))
        #expect(try result(.unlink, other) == 0)
        #expect(try result(.unlink, below) == 0)
        #expect(try result(.unlink, key.path) == -Int(EACCES))
        // The system chooses a port for a socket that has none.
        #expect(try result(.listen, "\(result(.socket, "\(AF_INET)", "1", "0"))", "1") == 0)
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TracedCall.isPossible))
    func `a module may use devices, but types into no terminal`() throws {
        let token = try SoftToken(in: scratch)
        try token.add(key, label: "driver")
        let settings = token.settings([("driver", "driver")], by: key)
        let path = try scratch.write("token-provider.yaml", "listen: 127.0.0.1:0\ncallers: none\n\(settings)")
        let daemon = try DaemonProcess(["serve", "--config", path], environment: token.environment, scratch: scratch)
        let process = daemon.process.identifier
        // Netlink for devices; FIONREAD; code in memory without a file.
        #expect(try TracedCall.result(of: .socket, "16", "3", "15", in: process) >= 0)
        #expect(try TracedCall.result(of: .memfd_create, "/name", "0", in: process) >= 0)
        #expect(try TracedCall.result(of: .ioctl, ["2", "1074292226", "0"], in: process) != -Int(EPERM))
        // TIOCSTI and TIOCLINUX; netlink of the audit system and of nftables.
        try expectRefusals(
            [
                (.ioctl, ["2", "21522", "/x"]), (.ioctl, ["2", "21532", "/x"]), (.socket, ["16", "3", "9"]),
                (.socket, ["16", "3", "12"]),
            ], in: daemon)
        // The module's threads are limited, too.
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        let threads = names.compactMap { Int32($0) }
        #expect(threads.count > 1)
        for thread in threads {
            let memory = ["\(AT_FDCWD)", "/proc/self/mem", "\(O_RDWR)"]
            guard let own = try? TracedCall.result(of: .openat, memory, in: thread),
                let signal = try? TracedCall.result(of: .kill, ["\(getpid())", "0"], in: thread)
            else {
                // Threads without work end.
                #expect(!FileManager.default.fileExists(atPath: "/proc/\(process)/task/\(thread)"))
                continue
            }
            #expect((own, signal) == (-Int(EACCES), -Int(EPERM)))
        }
        #expect(try !daemon.log().contains("does not limit"))
        #expect(try daemon.end() == 0)
    }

    @Test func `a reload to a folder unknown at the start says restart`() throws {
        let elsewhere = try Scratch()
        let other = try ServiceAccountFile(in: elsewhere, keyID: "other-key")
        let configuration = "listen: 127.0.0.1:0\ncallers: none\ncredentials: "
        let path = try scratch.write("token-provider.yaml", configuration + key.path)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        try scratch.write("token-provider.yaml", configuration + other.path)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(
            "not reloaded; the previous configuration stays reason=\"\(other.path): cannot be opened: its folder is "
                + "not one of those that the configuration named at the start, and the sandbox allows no other; restart "
                + "to apply\"")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.end() == 0)
        let restarted = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        #expect(try Curl("\(restarted.url)/token?tripID=a").status == 200)
    }

    @Test func `a reload names libraries' files that only a restart allows`() throws {
        let elsewhere = try Scratch()
        let authorities = try elsewhere.write("authorities.pem", "")
        let configuration = "listen: 127.0.0.1:0\ncallers: none\ncredentials: key.json\n"
        let path = try scratch.write("token-provider.yaml", configuration)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: scratch)
        try scratch.write("token-provider.yaml", configuration + "outgoing: {ca_file: \(authorities)}\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("outgoing.ca_file: \(authorities) cannot be opened: its folder is not one")
        try scratch.write("token-provider.yaml", configuration + "pkcs11: {module: /usr/lib/module.so}\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("pkcs11.module: is new, and the sandbox of a start without it")
    }

    @Test func `a certificate renewed behind other links is served after a reload`() throws {
        let files = try TLSFiles()
        let archive = try Scratch()
        try files.authority.certify("renewed")
        for (name, number) in [("server", 1), ("renewed", 2)] {
            for end in ["pem", "key"] {
                let bytes = try files.authority.bytes("\(name).\(end)")
                try archive.write("server\(number).\(end)", String(decoding: bytes, as: UTF8.self))
            }
        }
        try link(files, to: archive, 1)
        let (daemon, url) = try files.daemon()
        let first = try serial(url)
        try link(files, to: archive, 2)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(Self.reloaded)
        #expect(try serial(url) != first)
        #expect(try files.ask(url).status == 200)
    }

    /// As certbot does: the configuration's names stay, and link to the newest files of another folder.
    private func link(_ files: TLSFiles, to archive: Scratch, _ number: Int) throws {
        for end in ["pem", "key"] {
            let place = files.scratch.path("server.\(end)")
            try? FileManager.default.removeItem(atPath: place)
            try FileManager.default.createSymbolicLink(
                atPath: place, withDestinationPath: archive.path("server\(number).\(end)"))
        }
    }

    private func serial(_ url: String) throws -> String {
        let port = url.split(separator: ":").last ?? ""
        let shown = try Program.run("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"]).output
        let certificate = try #require(shown.split(separator: "-----BEGIN CERTIFICATE-----").last)
        return String(certificate.prefix(500))
    }
}
