import Glibc
import HTTPServer
import ServiceConfiguration
import StrictYAML
import SystemFiles

/// The listening sockets that the service manager passed to this process (sd_listen_fds(3)).
struct InheritedSockets: Sendable {
    static let none = InheritedSockets()
    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    private static let firstDescriptor = 3

    /// In their order, each with its name in the unit.
    private var entries: [(socket: InheritedSocket, name: String?)] = []

    /// In their order.
    var sockets: [InheritedSocket] { entries.map(\.socket) }
    /// The same for the configuration, which assigns each to a listener.
    var named: [ListenerTakeover.Socket] { entries.map { ListenerTakeover.Socket(name: $1, address: $0.address) } }

    private init() {}

    /// Takes over the sockets for this process and removes the variables, so that no child process inherits them.
    static func take() throws(InheritedSocketsError) -> InheritedSockets {
        let environment = Environment.variables()
        for name in variables { unsetenv(name) }
        return try InheritedSockets(environment, process: getpid())
    }

    /// Takes over the sockets that the variables name, if they are for this process.
    init(_ environment: [String: String], process: pid_t) throws(InheritedSocketsError) {
        guard environment["LISTEN_PID"] == "\(process)", let text = environment["LISTEN_FDS"] else { return }
        guard let count = DecimalText.whole(text).map({ Int(clamping: $0) }), count <= 1024 else {
            throw InheritedSocketsError("LISTEN_FDS: \(QuotedText(text)) is not a number of descriptors")
        }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        for index in 0..<count {
            let name = index < names.count ? String(names[index]) : nil
            try take(descriptor: InheritedSockets.firstDescriptor + index, name: name)
        }
    }

    private mutating func take(descriptor: Int, name: String?) throws(InheritedSocketsError) {
        do {
            entries.append((try InheritedSocket(descriptor: Int32(descriptor)), name))
        } catch {
            let suffix = name.map { " (\(QuotedText($0).escaped))" } ?? ""
            throw InheritedSocketsError("LISTEN_FDS: descriptor \(descriptor)\(suffix) \(error.problem)")
        }
    }
}

/// Why an inherited socket cannot be used, in one sentence.
struct InheritedSocketsError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ description: String) { self.description = description }
}
