import HTTPServer

extension Configuration {
    /// The listener for whoever runs the daemon.
    package struct Admin: Sendable, Equatable {
        /// Where it listens; nowhere if there is none.
        package var listen: [SocketAddress] = [.ipv4(0x7F00_0001, port: 8090)]
    }
}

extension SettingsTable {
    /// The settings of the listener for whoever runs the daemon.
    package static let admin: [any ConfigurationSetting] = [
        Setting(
            "admin.listen", \.admin.listen, .list(of: .listenAddress, allowsNone: true),
            "Where whoever runs the daemon asks /healthz, /readyz, /metrics, /version and /.well-known/jwks.json, and has it "
                + "reload (/reload). Nobody is asked who they are, so it is for this machine, or a network that only yours can "
                + "reach. None: nowhere."
        ).atStart
    ]
}
