import SystemFiles
import StrictYAML
import Glibc
import HTTPServer
import ServiceConfiguration

/// The listening sockets that the service manager handed over (sd_listen_fds(3)).
struct InheritedSockets: Sendable {
    /// No socket was handed over.
    static let none = InheritedSockets()
    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    private static let firstDescriptor = 3

    /// In their order, each with what its unit calls it.
    private var taken: [(socket: InheritedSocket, name: String?)] = []

    /// In their order.
    var sockets: [InheritedSocket] { taken.map(\.socket) }
    /// What they are to the configuration.
    var named: [ListenerTakeover.Socket] { taken.map { ListenerTakeover.Socket(name: $1, address: $0.address) } }

    private init() {}

    /// Takes those over that are for this process, and forgets the variables, which tell of nobody else's.
    static func take() throws(InheritedSocketsError) -> InheritedSockets {
        let environment = Environment.variables()
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
            let name = index < names.count ? String(names[index]) : nil
            try take(descriptor: InheritedSockets.firstDescriptor + index, name: name)
        }
    }

    private mutating func take(descriptor: Int, name: String?) throws(InheritedSocketsError) {
        do {
            taken.append((try InheritedSocket(descriptor: Int32(descriptor)), name))
        } catch {
            let called = name.map { " (\(QuotedText($0).escaped))" } ?? ""
            throw InheritedSocketsError("LISTEN_FDS: descriptor \(descriptor)\(called) \(error.problem)")
        }
    }
}

/// Why what was handed over cannot be used, in one sentence.
struct InheritedSocketsError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ description: String) { self.description = description }
}
