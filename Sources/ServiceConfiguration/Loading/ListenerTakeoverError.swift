import StrictYAML

/// Why an inherited socket cannot be assigned to a listener.
package struct ListenerTakeoverError: Error {
    package enum Reason: Error {
        /// No listener has its address, and its name is unknown.
        case unknownName
        /// Its name means listeners of which there are none; this key would add one.
        case noneOfItsKind(Configuration.ListeningKey)
        /// Its name may mean any of these, which require different things or are in a list of another key.
        case ambiguous([Configuration.Listener])
        /// These all have its address, but differ.
        case differ([Configuration.Listener])
        /// This has its address, but is not what its name says.
        case contradicts(Configuration.Listener)
    }

    let socket: ListenerTakeover.Socket
    let reason: Reason

    /// What is wrong with the configuration.
    var problem: ConfigurationProblem {
        let name = socket.name.map { " \(QuotedText($0))" } ?? ""
        return ConfigurationProblem(
            origin: .environment(name: "LISTEN_FDS"), key: nil,
            what: "the socket\(name) at \"\(socket.address)\" \(sentence)")
    }

    private var sentence: String {
        switch reason {
        case .unknownName:
            "has neither the address of a listener nor the name of one; expected one of "
                + ListenerSocketName.allCases.map(\.rawValue).joined(separator: ", ")
                + " (FileDescriptorName= of the socket unit)"
        case .noneOfItsKind(let key):
            "belongs to no listener: there is none of its kind; expected an address in \(key.rawValue), or no such "
                + "socket"
        case .ambiguous(let listeners):
            "could belong to \(Self.list(listeners)), but has the address of none; expected the address of one of them "
                + "(ListenStream= of the socket unit)"
        case .differ(let listeners):
            "belongs to \(Self.list(listeners)), which have different settings; expected a socket for each of them"
        case .contradicts(let listener):
            "has the address of a listener (\"\(listener.address)\") that \(Self.what(listener)); expected another name "
                + "(FileDescriptorName= of the socket unit) or address"
        }
    }

    private static func list(_ listeners: [Configuration.Listener]) -> String {
        listeners.map { "\"\($0.address)\"" }.joined(separator: " and ")
    }

    private static func what(_ listener: Configuration.Listener) -> String {
        let service = listener.service == .admin ? "is for operators" : "is for apps"
        return service + (listener.isSecure ? "" : ", without TLS")
    }
}
