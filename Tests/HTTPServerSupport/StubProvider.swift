import Dispatch
import TestSupport

@testable import HTTPServer

/// An identity provider on its own port, which gives the answers that a test sets and counts requests by path.
final class StubProvider: Sendable {
    private struct Page {
        let status: HTTPStatus
        let fields: HTTPFields
        let body: [UInt8]
    }

    private struct State {
        var pages: [String: Page] = [:]
        var asked: [String: Int] = [:]
        var held: String?
    }

    private let state: Locked<State>
    private let permits: DispatchSemaphore
    private let arrivals: DispatchSemaphore
    private let server: Server

    /// Answers to the path `held` wait until they are released.
    init(holding held: String? = nil) throws {
        let (state, permits, arrivals) = (
            Locked(State(held: held)), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        (self.state, self.permits, self.arrivals) = (state, permits, arrivals)
        var settings = ServerSettings()
        settings.loops = 1
        server = try Server(
            listeningOn: [PlainListener(try SocketAddress("127.0.0.1:0"))], settings: settings,
            application: HTTPApplication(
                respond: { request, _ in
                    let path = request.withPath { path in path.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
                    let isHeld = state.withLock { state in
                        state.asked[path, default: 0] += 1
                        return state.held == path
                    }
                    return .afterWork { _ in
                        if isHeld {
                            arrivals.signal()
                            permits.wait()
                        }
                        return .now(StubProvider.response(state.withLock { $0.pages[path] }))
                    }
                },
                refuse: { HTTPResponse(status: $0.status, fields: .none, body: []) }))
        server.start()
    }

    deinit {
        release()
        server.stop()
        server.waitUntilStopped()
    }

    /// Its address: `http://127.0.0.1:PORT`.
    var url: String { "http://\(server.addresses[0])" }

    /// The number of requests for the path.
    func asked(_ path: String) -> Int { state.withLock { $0.asked[path] ?? 0 } }

    /// Sets the answer to requests for the path.
    func answer(
        _ path: String, _ body: String, status: HTTPStatus = .ok, fields: [(name: String, value: String)] = []
    ) {
        let page = Page(status: status, fields: HTTPFields(fields) ?? .none, body: Array(body.utf8))
        state.withLock { $0.pages[path] = page }
    }

    /// Sets the metadata at `/.well-known/openid-configuration` to these members.
    func answerMetadata(_ members: String) { answer("/.well-known/openid-configuration", "{\(members)}") }

    /// Waits until a held path is requested; false if it never is.
    func hasArrival() -> Bool { arrivals.wait(timeout: Patience.end) == .success }

    /// Releases all held answers, and no longer holds any.
    func release() {
        state.withLock { $0.held = nil }
        for _ in 0..<100 { permits.signal() }
    }

    private static func response(_ page: Page?) -> HTTPResponse {
        guard let page else { return HTTPResponse(status: .notFound, fields: .none, body: []) }
        return HTTPResponse(status: page.status, fields: page.fields, body: page.body)
    }
}
