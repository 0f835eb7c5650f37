/// The purpose of an inherited socket, for addresses that do not tell it (FileDescriptorName= of its unit).
enum ListenerSocketName: String, CaseIterable {
    case http, https, admin

    /// The key whose addresses are replaced by sockets of this name.
    var key: Configuration.ListeningKey {
        switch self {
        case .http: .plain
        case .https: .tls
        case .admin: .admin
        }
    }

    /// Whether a listener is of this kind.
    func fits(_ listener: Configuration.Listener) -> Bool {
        switch self {
        case .http: listener.service == .public && !listener.isSecure
        case .https: listener.service == .public && listener.isSecure
        case .admin: listener.service == .admin
        }
    }

    /// Whether a socket of this name may belong to a listener with its address. The listener may require more than the name
    /// says, but not less.
    func allows(_ listener: Configuration.Listener) -> Bool {
        switch self {
        case .http: listener.service == .public
        case .https, .admin: fits(listener)
        }
    }
}
