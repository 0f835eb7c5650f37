/// What a socket that was handed over is for where its address does not tell (FileDescriptorName= of its unit).
enum ListenerSocketName: String, CaseIterable {
    case http, https, admin

    /// The key whose addresses sockets of this name take the place of.
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

    /// Whether a socket of this name may stand for a listener that has its address: more than the name says may be demanded
    /// there, and nothing less.
    func allows(_ listener: Configuration.Listener) -> Bool {
        switch self {
        case .http: listener.service == .public
        case .https, .admin: fits(listener)
        }
    }
}
