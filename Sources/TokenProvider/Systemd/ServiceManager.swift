import Dispatch
import Glibc
import HTTPServer
import SystemFiles

/// What the process that started the daemon passes to it (systemd or another service manager).
struct ServiceEnvironment {
    var sockets = InheritedSockets.none
    /// Nil if no service manager expects notifications.
    var manager: ServiceManager?

    /// Takes over what the environment variables name, and removes them. Call while the process has one thread.
    static func take() throws -> ServiceEnvironment {
        ServiceEnvironment(sockets: try InheritedSockets.take(), manager: try ServiceManager.find())
    }
}

/// Sends notifications to the service manager that started the daemon (sd_notify(3)), one datagram for each state.
///
/// `@unchecked Sendable`: all properties are constant, and the descriptor is used on `queue` only.
final class ServiceManager: @unchecked Sendable {
    /// Nanoseconds within which it expects each `WATCHDOG=1`; nil if it has no watchdog.
    let watchdogInterval: UInt64?
    private let address: SocketAddress
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "service manager")

    /// The one that the environment variables name; nil if there is none. Removes the variables.
    static func find() throws(SystemError) -> ServiceManager? {
        let environment = Environment.variables()
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
        return try ServiceManager(environment, process: getpid())
    }

    /// The one that these variables name for a process; nil if there is none.
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

    /// Whether its socket is abstract (unix(7)).
    var usesAbstractSocket: Bool {
        if case .unix(let path) = address { path.hasPrefix("@") } else { false }
    }

    /// Sends the assignments in one datagram, after all earlier ones.
    func notify(_ assignments: String...) {
        queue.async { self.send(assignments.joined(separator: "\n")) }
    }

    /// Returns once all notifications are sent.
    func flush() { queue.sync {} }

    /// Ignores errors: they only occur while the manager restarts, and the daemon can do nothing about them.
    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        address.withSockaddr { pointer, length in
            _ = SystemCall.sendTo(pointer, length, bytes, by: descriptor)
        }
    }

    deinit { close(descriptor) }
}
