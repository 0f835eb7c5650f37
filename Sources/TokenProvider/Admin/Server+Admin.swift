import HTTPServer
import TokenService

extension Server {
    /// The server of the admin listener, for few clients. Nil without an admin listener.
    convenience init?(
        adminOn plain: [PlainListener], secured: [SecureListener], inheriting inherited: [InheritedSocket],
        as apps: ServerSettings, _ router: AdminRouter, notice: @escaping @Sendable (ServerNotice) -> Void
    ) throws(SystemError) {
        guard !plain.isEmpty || !secured.isEmpty else { return nil }
        var settings = ServerSettings()
        settings.loops = 1
        (settings.unixSocketMode, settings.streams) = (apps.unixSocketMode, apps.streams)
        settings.sharesPorts = apps.sharesPorts
        let memory = min(apps.memory.perAddress, MemoryPlan.admin)
        settings.memory = MemoryLimits(total: memory, perAddress: memory)
        settings.maxConnections = 64
        settings.maxConnectionsPerAddress = 64
        let application = HTTPApplication(
            respond: { request, _ in router.respond(to: request) },
            refuse: { rejection in ProblemAnswer.answer(rejection) }, notice: notice)
        do throws(SystemError) {
            try self.init(
                listeningOn: plain, secured: secured, inheriting: inherited, settings: settings,
                application: application)
        } catch {
            // The setting may be at its default, so the error names it.
            throw SystemError(
                operation: "admin.listen: \(error.operation)", code: error.code, family: error.family)
        }
    }
}
