import COpenSSL
import Dispatch
import Glibc

/// Keeps the end of the process and the end of a connection to tokens apart: what exit(3) takes down, OpenSSL and the
/// module among it, a connection still needs for its own end.
enum ProcessEnd {
    private static let gate = DispatchSemaphore(value: 1)
    /// How long a connection may delay the end of the process, if its token hangs.
    private static let patience = DispatchTimeInterval.seconds(2)

    /// Registers once with exit(3); call it after the module was loaded, since what is registered last runs first.
    static let isAwaited: Bool = {
        // OpenSSL registers its own end at its first use; without an option this call would do nothing.
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_LOAD_CRYPTO_STRINGS), nil)
        return atexit { _ = gate.wait(timeout: .now() + patience) } == 0
    }()

    /// Runs `body`, which delays the end of the process; never returns once that has begun.
    static func whileRunning(_ body: () -> Void) {
        gate.wait()
        defer { gate.signal() }
        body()
    }
}
