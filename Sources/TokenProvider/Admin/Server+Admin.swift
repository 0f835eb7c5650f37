import HTTPServer

extension Server {
    /// The server of the admin listener: few ask it, and seldom. Nil where it listens nowhere.
    convenience init?(
        adminOn addresses: [SocketAddress], inheriting inherited: InheritedSockets, _ router: AdminRouter
    ) throws(SystemError) {
        guard !addresses.isEmpty else { return nil }
        var settings = ServerSettings()
        settings.loops = 1
        settings.maxConnections = 64
        settings.maxConnectionsPerAddress = 64
        let application = HTTPApplication(
            respond: { request, _ in router.respond(to: request) },
            refuse: { rejection in ProblemAnswer.answer(rejection) })
        do throws(SystemError) {
            try self.init(
                listeningOn: addresses, inheriting: inherited.sockets(of: .admin), settings: settings,
                application: application)
        } catch {
            // Nobody may have asked for it by name.
            throw SystemError(operation: "admin.listen: \(error.operation)", code: error.code)
        }
    }
}
