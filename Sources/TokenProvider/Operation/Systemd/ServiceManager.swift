import SystemFiles
import Dispatch
import Glibc
import HTTPServer

/// The service manager that started the daemon and is told how it is (sd_notify(3)): a datagram for each state.
///
/// `@unchecked Sendable`: it is told on `queue` alone, and nothing else changes.
final class ServiceManager: @unchecked Sendable {
    /// Nanoseconds within which it must hear of the daemon again and again; nil if it does not watch.
    let watchdogInterval: UInt64?
    private let address: SocketAddress
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "service manager")

    /// The one that the variables name, which are forgotten; nil if there is none.
    static func find() throws(SystemError) -> ServiceManager? {
        let environment = Environment.variables()
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
        return try ServiceManager(environment, process: getpid())
    }

    /// The one that the variables of a process name; nil if there is none.
    init?(_ environment: [String: String], process: pid_t) throws(SystemError) {
        guard let path = environment["NOTIFY_SOCKET"], !path.isEmpty else { return nil }
        guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count <= SocketAddress.maximumPathBytes else {
            throw SystemError(operation: "NOTIFY_SOCKET: \"\(path)\" is neither a path nor @ and a name", code: EINVAL)
        }
        address = .unix(path)
        watchdogInterval = ServiceManager.watchdogInterval(environment, process)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(operation: "NOTIFY_SOCKET: socket", code: errno) }
    }

    private static func watchdogInterval(_ environment: [String: String], _ process: pid_t) -> UInt64? {
        guard environment["WATCHDOG_PID"].map({ $0 == "\(process)" }) ?? true else { return nil }
        guard let text = environment["WATCHDOG_USEC"], let microseconds = UInt64(text), microseconds > 0 else {
            return nil
        }
        return microseconds.multipliedReportingOverflow(by: 1000).overflow ? nil : microseconds * 1000
    }

    /// Tells it the assignments in one datagram, behind what it was told before.
    func tell(_ assignments: String...) {
        queue.async { self.send(assignments.joined(separator: "\n")) }
    }

    /// Returns once it was told everything.
    func flush() { queue.sync {} }

    /// It is not there any more only where it is started anew; nobody could do anything about it.
    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        address.withSockaddr { pointer, length in
            _ = SystemCall.retryingEINTR {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        }
    }

    deinit { close(descriptor) }
}
