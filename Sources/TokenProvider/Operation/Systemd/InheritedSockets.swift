import Glibc
import HTTPServer
import StrictYAML

/// The listening sockets that the service manager handed over (sd_listen_fds(3)), each for a listener of the daemon. They
/// take the place of the addresses that the configuration gives that listener.
struct InheritedSockets: Sendable {
    /// What a socket is for, by the name that its unit gives it (FileDescriptorName=).
    enum Listener: String, CaseIterable {
        case http, https, admin
    }

    /// No socket was handed over.
    static let none = InheritedSockets()
    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    private static let firstDescriptor = 3

    private var all: [(listener: Listener, socket: InheritedSocket)] = []

    private init() {}

    /// Takes those over that are for this process, and forgets the variables, which tell of nobody else's.
    static func take() throws(InheritedSocketsError) -> InheritedSockets {
        let environment = Startup.environment()
        for name in variables { unsetenv(name) }
        return try InheritedSockets(environment, process: getpid())
    }

    /// Takes over what the variables say, if they are for the process.
    init(_ environment: [String: String], process: pid_t) throws(InheritedSocketsError) {
        guard environment["LISTEN_PID"] == "\(process)", let text = environment["LISTEN_FDS"] else { return }
        guard let count = DecimalText.whole(text).map({ Int(clamping: $0) }), count <= 1024 else {
            throw InheritedSocketsError("LISTEN_FDS: \(QuotedText(text)) is no number of descriptors")
        }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        for index in 0..<count {
            let name = index < names.count ? String(names[index]) : Listener.http.rawValue
            try take(descriptor: InheritedSockets.firstDescriptor + index, name: name)
        }
    }

    private mutating func take(descriptor: Int, name: String) throws(InheritedSocketsError) {
        guard let listener = Listener(rawValue: name) else {
            let names = Listener.allCases.map(\.rawValue).joined(separator: ", ")
            throw InheritedSocketsError(
                "LISTEN_FDNAMES: \(QuotedText(name)) is no listener; expected one of \(names) "
                    + "(FileDescriptorName= of the socket unit)")
        }
        do {
            all.append((listener, try InheritedSocket(descriptor: Int32(descriptor))))
        } catch {
            throw InheritedSocketsError("LISTEN_FDS: descriptor \(descriptor) (\(name)) \(error.problem)")
        }
    }

    /// Those of some listeners.
    func sockets(of listeners: Listener...) -> [InheritedSocket] {
        all.filter { listeners.contains($0.listener) }.map(\.socket)
    }

    /// Puts what the sockets are bound to in the place of what the configuration gives their listeners. Where one is for
    /// apps, they all are: a daemon in a sandbox may open none of its own.
    func replaceAddresses(in values: inout ConfigurationValues) {
        let (plain, secured, admin) = (addresses(of: .http), addresses(of: .https), addresses(of: .admin))
        if !plain.isEmpty || !secured.isEmpty {
            (values.listen, values.tls.listen) = (plain, secured)
            values.listeners.removeAll { $0.service == .public }
        }
        if !admin.isEmpty {
            values.admin.listen = admin
            values.listeners.removeAll { $0.service == .admin }
        }
    }

    private func addresses(of listener: Listener) -> [SocketAddress] { sockets(of: listener).map(\.address) }
}

/// Why what was handed over cannot be used, in one sentence.
struct InheritedSocketsError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ description: String) { self.description = description }
}
