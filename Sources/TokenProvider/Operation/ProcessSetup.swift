import CLinux
import Glibc

/// What a process must be before it opens anything.
enum ProcessSetup {
    /// Call first.
    static func prepare() {
        keepMemoryPrivate()
        // Whoever reads our log may go away; that must not end us (write(2), EPIPE).
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is an error of write(2), not our end (setrlimit(2)).
        signal(SIGXFSZ, SIG_IGN)
        // A descriptor that was closed for us would be given to the next socket, and log lines would go to its peer.
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Keys are in this memory: it goes to no file, no debugger and no report, and no program gets more rights than we have.
    private static func keepMemoryPrivate() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        clinux_forbid_dumps_and_new_privileges()
        // Where a crash is reported by Swift's runtime, the report shows memory; and it would wait for ever for a memory
        // that it may not read.
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] { signal(number, SIG_DFL) }
    }

    /// Call once the service is up: most of the code that is resident then has read the command line and the
    /// configuration, and is not needed again.
    static func releaseStartupCode() { clinux_release_code() }
}
