import HTTPServer
import StrictJSON
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

    /// Nanoseconds to wait for the event loops.
    private static let patience: UInt64 = 1_000_000_000

    /// `GET /healthz` of the admin listener: whether every event loop still turns. Each request checks them all.
    func liveness() -> HTTPAnswer {
        .later { [self] promise in
            awaitTurns(within: Self.patience) { isAlive in
                promise.give { _ in
                    .now(.admin(.health, status: isAlive ? .ok : .serviceUnavailable) { $0.member("alive", isAlive) })
                }
            }
        }
    }
}

/// The hosts that a request of the admin listener may be for.
///
/// A web page whose name resolves to this machine's address (DNS rebinding) can read answers that a browser fetches for
/// it, but the browser sends the page's name. So a name must be known. An address in
/// `Host` was not rebound.
struct AdminHosts: Sendable {
    /// In lower case.
    private let names: Set<String>

    /// Loopback names, addresses and these names.
    init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

    /// Whether the request is for one of them. Clients of a unix socket are not on the network, and a request without
    /// `Host` (HTTP/1.0) is not of a browser.
    func include(_ request: borrowing HTTPRequest) -> Bool {
        guard request.peer != nil, let authority = request.field("host") else { return true }
        return includes(authority: authority)
    }

    /// A `uri-host` with an optional port (RFC 9110 section 7.2), whose grammar was checked.
    func includes(authority: String) -> Bool {
        if authority.hasPrefix("[") { return true }
        var name = authority.prefix { $0 != ":" }.lowercased()
        if IPAddress(name) != nil { return true }
        if name.hasSuffix(".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }
}
