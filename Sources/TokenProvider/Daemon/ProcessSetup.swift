import CLinux
import Glibc
import OpenSSLCrypto

/// Prepares the process.
enum ProcessSetup {
    /// Call before the process opens anything.
    static func prepare() {
        keepMemoryPrivate()
        KeyMemory.prepare()
        // A write to a log whose reader has gone must fail with EPIPE and not end the process (write(2)).
        signal(SIGPIPE, SIG_IGN)
        // A file at its size limit must fail with EFBIG and not end the process (setrlimit(2)).
        signal(SIGXFSZ, SIG_IGN)
        // Scripts for log rotation send them to other daemons, and they would end the process.
        for number in [SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
        // If the parent closed one of these, the next socket would get its number, and log lines would go to the peer.
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// This memory holds keys: it must not reach a core dump, a debugger or a crash report. Also forbids new privileges.
    private static func keepMemoryPrivate() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        clinux_forbid_dumps_and_new_privileges()
        // Swift's crash reports would show memory, and the backtracer would wait for ever because it may not read it.
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] { signal(number, SIG_DFL) }
    }
}
