import Foundation
import Synchronization
import Testing

@testable import Confinement

/// What the kernel refuses to a thread that has confined itself; the other threads of the tests stay free.
@Suite struct ConfinedThreadTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// The errno of each attempt, 0 for a success, on a confined thread.
    private func attempts(
        _ profile: SandboxProfile, _ attempts: @escaping @Sendable () -> [Int32]
    ) throws -> [Int32] {
        let results = Mutex<(warnings: [String], codes: [Int32])>(([], []))
        let finished = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let report = Sandbox.install(profile, includesOtherThreads: false)
            let codes = attempts()
            results.withLock { $0 = (report.warnings, codes) }
            finished.signal()
        }
        finished.wait()
        let (warnings, codes) = results.withLock { $0 }
        try #require(warnings == [])
        return codes
    }

    private static func code(_ result: Int) -> Int32 { result < 0 ? errno : 0 }

    private static func opening(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        return code(Int(descriptor))
    }

    @Test func `only allowed folders can be read, and fewer written`() throws {
        let (own, other, log) = ("own/key.json", "other/key.json", "log/audit")
        for name in [own, other, log] { _ = try folder.write(name) }
        var profile = SandboxProfile(places: [:])
        profile.allow(.read, leadingTo: folder.path(own))
        profile.allow(.write, leadingTo: folder.path(log))
        let paths = [own, other, log, "log/next", "own/next"].map(folder.path)
        let codes = try attempts(profile) {
            [
                Self.opening(paths[0], O_RDONLY), Self.opening(paths[1], O_RDONLY),
                Self.opening(paths[2], O_RDWR | O_TRUNC), Self.opening(paths[3], O_RDWR | O_CREAT),
                Self.opening(paths[0], O_RDWR), Self.opening(paths[4], O_RDWR | O_CREAT),
                Self.code(Int(unlink(paths[2]))), Self.code(Int(rename(paths[0], paths[3]))),
            ]
        }
        #expect(codes == [0, EACCES, 0, 0, EACCES, EACCES, EACCES, EACCES])
    }

    @Test func `a file that was replaced by a rename can be read`() throws {
        let path = try folder.write("own/key.json")
        let new = try folder.write("new")
        var profile = SandboxProfile(places: [:])
        profile.allow(.read, leadingTo: path)
        let (confined, replaced) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            confined.wait()
            rename(new, path)
            replaced.signal()
        }
        let codes = try attempts(profile) {
            confined.signal()
            replaced.wait()
            return [Self.opening(path, O_RDONLY)]
        }
        #expect(codes == [0])
    }

    @Test func `files that are withheld cannot be read, and all others can`() throws {
        let names = ["etc/own/key.json", "etc/own/other", "etc/own/sub/file", "etc/hosts", "etc/ssl/cert", "log/key"]
        for name in names { _ = try folder.write(name) }
        try folder.link("etc/link", to: "own/key.json")
        try #require(link(folder.path(names[0]), folder.path("etc/own/same")) == 0)
        var profile = SandboxProfile(places: [:])
        for place in ["etc", "etc/own", names[0]] { profile.allow(.read, at: folder.path(place)) }
        profile.allow(.write, leadingTo: folder.path("log/audit"))
        let withheld = [names[0], "log/key", "log/absent"].map(folder.path)
        #expect(profile.withhold(withheld) == ["etc", "etc/own", "log"].map(folder.path))
        let all = (names + ["etc/link", "etc/own/same"]).map(folder.path)
        let new = folder.path("log/new")
        let codes = try attempts(profile) {
            all.map { Self.opening($0, O_RDONLY) } + [Self.opening(new, O_WRONLY | O_CREAT)]
        }
        #expect(codes == [EACCES, 0, 0, 0, 0, EACCES, EACCES, EACCES, 0])
    }

    @Test func `without limits all files can be read and ports bound`() throws {
        let path = try folder.write("other/key.json")
        var profile = SandboxProfile(places: nil)
        profile.ports = nil
        #expect(try attempts(profile) { [Self.opening(path, O_RDWR), Self.binding(port: 28_733)] } == [0, 0])
    }

    @Test(arguments: [SandboxProfile.Needs.module, []])
    func `without limits no code is written by way of proc`(needs: SandboxProfile.Needs) throws {
        var profile = SandboxProfile(places: nil)
        profile.needs = needs
        let (path, new) = (try folder.write("log/audit"), folder.path("log/new"))
        // Swift imports no function with a variable number of arguments.
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let control = unsafeBitCast(try #require(dlsym(nil, "prctl")), to: Control.self)
        let (getDumpable, setDumpable) = (Int32(3), Int32(4))
        let codes = try attempts(profile) {
            [
                Self.opening("/proc/self/mem", O_RDWR), Self.opening("/proc/thread-self/mem", O_RDWR),
                Self.opening("/proc/self/root/proc/self/mem", O_WRONLY),
                Self.code(Int(control(setDumpable, 1, 0, 0, 0))), Self.code(Int(control(getDumpable, 0, 0, 0, 0))),
                Self.opening("/proc/self/mem", O_RDONLY), Self.opening("/", O_RDONLY),
                Self.opening("/dev/null", O_RDWR), Self.opening(path, O_RDWR | O_TRUNC),
                Self.opening(new, O_RDWR | O_CREAT), Self.code(Int(rename(new, path))), Self.code(Int(unlink(path))),
            ]
        }
        #expect(codes == [EACCES, EACCES, EACCES, EPERM] + Array(repeating: 0, count: 8))
    }

    @Test(arguments: [false, true])
    func `shared memory, queues and semaphores are a module's alone`(isModule: Bool) throws {
        var profile = SandboxProfile(places: nil)
        profile.needs = isModule ? .module : []
        let codes = try attempts(profile) {
            // Of none that exists.
            let key = key_t(0x5A17_C0DE)
            return [
                Self.code(Int(shmget(key, 4096, 0))), Self.code(Int(msgget(key, 0))), Self.code(Int(semget(key, 1, 0))),
                Self.code(shmat(-1, nil, 0) == UnsafeMutableRawPointer(bitPattern: -1) ? -1 : 0),
            ]
        }
        #expect(codes == (isModule ? [ENOENT, ENOENT, ENOENT, EINVAL] : [EPERM, EPERM, EPERM, EPERM]))
    }

    @Test func `a thread changes its own priority, and no other's`() throws {
        let (other, batch) = (getppid(), Int32(3))
        let codes = try attempts(SandboxProfile(places: nil)) {
            [0, other].flatMap { process in
                var parameters = sched_param()
                return [
                    Self.code(Int(setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process), 0))),
                    Self.code(Int(sched_setscheduler(process, batch, &parameters))),
                ]
            }
        }
        #expect(codes == [0, 0, EPERM, EPERM])
    }

    @Test func `only the sockets of listeners can be bound`() throws {
        var profile = SandboxProfile(places: [:])
        let port: UInt16 = 28_731
        profile.ports = [port]
        profile.needs = .unixStreams
        profile.allow(.listen, leadingTo: folder.path("daemon.sock"))
        let paths = ["daemon.sock", "file"].map(folder.path)
        let codes = try attempts(profile) {
            [
                Self.binding(port: port), Self.binding(port: port + 1), Self.binding(path: paths[0]),
                Self.code(Int(unlink(paths[0]))), Self.opening(paths[1], O_RDWR | O_CREAT),
            ]
        }
        #expect(codes == [0, EACCES, 0, 0, EACCES])
    }

    private static func binding(port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return binding(&address, AF_INET)
    }

    private static func binding(path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return binding(&address, AF_UNIX)
    }

    private static func binding<Address>(_ address: inout Address, _ family: Int32) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var reuses: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        let size = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeBytes(of: &address) { bytes in
            code(Int(bind(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)))
        }
    }

    @Test(arguments: [false, true])
    func `others' abstract sockets are out of reach unless needed`(isNeeded: Bool) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with a zero byte has no file.
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: UUID().uuidString.utf8) }
        try #require(Self.calling(bind, listener, address) == 0 && listen(listener, 1) == 0)
        var profile = SandboxProfile(places: [:])
        profile.needs = .unixStreams
        profile.usesAbstractSockets = isNeeded
        let place = address
        let codes = try attempts(profile) {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            return [Self.calling(connect, descriptor, place)]
        }
        #expect(codes == [try isNeeded || Landlock.version() < 6 ? 0 : EPERM])
    }

    private static func calling(
        _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        withUnsafeBytes(of: address) { bytes in
            let place = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return code(Int(call(descriptor, place, socklen_t(bytes.count))))
        }
    }

    @Test func `programs, raw sockets, writable code and another root are refused`() throws {
        let codes = try attempts(SandboxProfile(places: nil)) {
            let program: [UnsafeMutablePointer<CChar>?] = [nil]
            let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            defer { munmap(page, 4096) }
            let code = mmap(nil, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            let mapped = code == MAP_FAILED ? errno : 0
            var child = pid_t()
            return [
                Self.code(Int(execv("/bin/true", program))), posix_spawn(&child, "/bin/true", nil, nil, program, nil),
                Self.code(Int(socket(AF_PACKET, Int32(SOCK_DGRAM.rawValue), 0))), mapped,
                Self.code(Int(mprotect(page, 4096, PROT_READ | PROT_EXEC))),
                Self.code(Int(chroot("/"))),
            ]
        }
        #expect(codes == Array(repeating: EPERM, count: 6))
    }

    private static let sockets: [(SandboxProfile.Needs, [Int32])] = [
        ([], [EPERM, EPERM]), (.unixStreams, [0, EPERM]), (.unixDatagrams, [EPERM, 0]), (.module, [0, 0]),
    ]

    @Test(arguments: sockets)
    func `unix sockets are those that are needed`(needs: SandboxProfile.Needs, expected: [Int32]) throws {
        var profile = SandboxProfile(places: nil)
        profile.needs = needs
        let codes = try attempts(profile) {
            [SOCK_STREAM, SOCK_DGRAM].map { type in
                let descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
                defer { close(descriptor) }
                return Self.code(Int(descriptor))
            }
        }
        #expect(codes == expected)
    }

    @Test func `pairs of sockets are streams or packets, never datagrams`() throws {
        let codes = try attempts(SandboxProfile(places: nil)) {
            [SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM, SOCK_RAW].map { type in
                var pair: [Int32] = [-1, -1]
                defer { for end in pair { close(end) } }
                return Self.code(Int(socketpair(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)))
            }
        }
        #expect(codes == [0, 0, EPERM, EPERM])
    }

    @Test func `modes, owners and times are refused, and files are made without privileges`() throws {
        let path = try folder.write("log/audit")
        let new = folder.path("log/new")
        let codes = try attempts(SandboxProfile(places: nil)) {
            [
                Self.code(Int(chmod(path, 0o666))), Self.code(Int(fchmodat(AT_FDCWD, path, 0o666, 0))),
                Self.code(Int(chown(path, getuid(), getgid()))), Self.code(Int(utimes(path, nil))),
                Self.code(Int(utimensat(AT_FDCWD, path, nil, 0))), Self.code(Int(truncate(path, 0))),
                Self.code(Int(mkdir(new, 0o2700))), Self.code(Int(mknod(new, S_IFREG | 0o4700, 0))),
                Self.opening(path, O_RDONLY | O_TRUNC), Self.opening(path, O_ACCMODE),
                Self.opening(path, O_ACCMODE | O_TRUNC), Self.opening(path, O_RDWR | O_TRUNC),
                Self.code(Int(mkdir(new, 0o700))),
            ]
        }
        #expect(codes == Array(repeating: EPERM, count: 11) + [0, 0])
    }

    @Test func `threads, memory, clocks, sockets and limits work as before`() throws {
        let codes = try attempts(SandboxProfile(places: [:])) {
            let started = DispatchSemaphore(value: 0)
            Thread.detachNewThread { started.signal() }
            started.wait()
            var (limit, time) = (rlimit(), timespec())
            let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            defer { munmap(page, 4096) }
            let types = [(AF_INET, SOCK_DGRAM), (AF_INET6, SOCK_STREAM), (AF_NETLINK, SOCK_RAW)].map { family, type in
                let descriptor = socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
                defer { close(descriptor) }
                return Self.code(Int(descriptor))
            }
            return types + [
                page == MAP_FAILED ? errno : 0, Self.code(Int(mlock(page, 4096))),
                Self.code(Int(clock_gettime(CLOCK_REALTIME, &time))),
                Self.code(Int(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))),
                Self.code(Int(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))),
                Self.code(Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))),
            ]
        }
        #expect(codes == Array(repeating: 0, count: 9))
    }

    @Test func `what signs opens no file or socket, and reaches no process`() throws {
        let path = try folder.write("key.json")
        var profile = SandboxProfile(places: nil)
        profile.calls = .signing
        let own = getpid()
        let codes = try attempts(profile) {
            let code = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            let mapped = code == MAP_FAILED ? errno : 0
            var child = pid_t()
            let program: [UnsafeMutablePointer<CChar>?] = [nil]
            let families = [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET].map { family in
                Self.code(Int(socket(family, Int32(SOCK_DGRAM.rawValue), 0)))
            }
            var pair: [Int32] = [0, 0]
            return families + [
                mapped, Self.code(Int(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair))),
                Self.opening(path, O_RDONLY), Self.code(Int(kill(own, 0))),
                Self.code(Int(shmget(IPC_PRIVATE, 4096, 0o600))), Self.code(Int(semget(IPC_PRIVATE, 1, 0o600))),
                Self.code(Int(msgget(IPC_PRIVATE, 0o600))), Self.code(Int(unlink(path))),
                posix_spawn(&child, "/bin/true", nil, nil, program, nil), Self.binding(port: 0),
            ]
        }
        #expect(codes == Array(repeating: EPERM, count: 15))
    }

    @Test func `what loads keys reads files, and changes none`() throws {
        let (path, new) = (try folder.write("key.json"), folder.path("new"))
        var profile = SandboxProfile(places: nil)
        profile.calls = .loading
        let own = getpid()
        let codes = try attempts(profile) {
            [
                Self.opening(path, O_RDONLY), Self.opening(path, O_WRONLY), Self.opening(path, O_RDWR),
                Self.opening(new, O_RDONLY | O_CREAT), Self.opening(path, O_RDONLY | O_TRUNC),
                Self.code(Int(rename(path, new))), Self.code(Int(unlink(path))),
                Self.code(Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))), Self.code(Int(kill(own, 0))),
                Self.code(Int(kill(own, SIGTERM))),
            ]
        }
        #expect(codes == [0] + Array(repeating: EPERM, count: 9))
    }

    @Test func `what signs still starts threads, waits and tells the time`() throws {
        var profile = SandboxProfile(places: [:])
        profile.calls = .signing
        let codes = try attempts(profile) {
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread { ended.signal() }
            ended.wait()
            var time = timespec()
            let page = mmap(nil, 1 << 22, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            return [
                page == MAP_FAILED ? errno : 0, Self.code(Int(munmap(page, 1 << 22))),
                Self.code(Int(clock_gettime(CLOCK_REALTIME, &time))), Self.code(Int(usleep(1))),
            ]
        }
        #expect(codes == [0, 0, 0, 0])
    }

    @Test(arguments: [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (99, 16)])
    func `a version limits the rights that it knows`(version: Int, count: Int) {
        #expect(FileRights.known(to: version).rawValue == 1 << count - 1)
        #expect(FileRights.known(to: version).contains(.truncate) == (version > 2))
    }

    @Test func `a report says what confines and what does not`() {
        var report = SandboxReport(landlock: .success((4, ["files", "TCP ports"])))
        #expect(report.sentence == "confined by Landlock (version 4: files, TCP ports) and a filter of system calls")
        #expect(report.warnings == [])
        report.otherThreads = 2
        #expect(report.sentence == "confined by a filter of system calls")
        #expect(
            report.warnings == [
                "the sandbox's Landlock does not limit 2 threads that were started before it; expected no library in "
                    + "LD_PRELOAD that starts threads"
            ])
        report = SandboxReport(landlock: .failure(SandboxFault(code: ENOSYS)), filterFault: SandboxFault(code: EINVAL))
        #expect(report.sentence == nil)
        #expect(
            report.warnings == [
                "the sandbox has no Landlock: Function not implemented; expected Linux 5.13 or later that has it on, "
                    + "and a container that permits it, or sandbox: off",
                "the sandbox has no filter of system calls: Invalid argument; expected Linux with seccomp filters on "
                    + "x86-64 or ARM64, or sandbox: off",
            ])
    }
}
