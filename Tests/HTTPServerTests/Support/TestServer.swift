import Dispatch

@testable import HTTPServer

/// A server on a port of its own, and an application that a test can look into:
///
/// - `/now...` answers its path at once, `/work...` after work, `/gate...` after work that waits for the test;
/// - `/late...` promises an answer that the test gives, `/promise...` promises one after work, `/helped...` one that
///   another thread gives at once, `/changed...` one whose body gets a word put before it;
/// - `/peer` answers the address that the server takes for its peer's, `/id` the request's id;
/// - `/large` answers 8 MB at once, `/exempt` is answered however many connections there are.
final class TestServer: Sendable {
    static let largeBody = [UInt8](repeating: UInt8(ascii: "x"), count: 8_388_608)

    let server: Server
    let gate: Gate
    let records: Records
    let promises: Promises

    /// With a listening socket that is its own from now on, besides those that it opens.
    convenience init(
        inheriting number: Int32, _ listening: String..., configure: (inout ServerSettings) -> Void = { _ in }
    ) throws {
        try self.init(listening, [try InheritedSocket(descriptor: number)], false, configure)
    }

    convenience init(
        _ listening: String..., recognisingPreface: Bool = false, configure: (inout ServerSettings) -> Void = { _ in }
    ) throws {
        try self.init(listening.isEmpty ? ["127.0.0.1:0"] : listening, [], recognisingPreface, configure)
    }

    private init(
        _ listening: [String], _ inherited: [InheritedSocket], _ recognisesPreface: Bool,
        _ configure: (inout ServerSettings) -> Void
    ) throws {
        var settings = ServerSettings()
        settings.loops = 1
        settings.timeouts = ConnectionTimeouts(
            head: 60_000_000_000, idle: 60_000_000_000, write: 60_000_000_000, linger: 60_000_000_000,
            drainIdle: 60_000_000_000, overLimit: 60_000_000_000)
        configure(&settings)
        let (gate, records, promises) = (Gate(), Records(), Promises())
        (self.gate, self.records, self.promises) = (gate, records, promises)
        let addresses = try inherited.map(\.address) + listening.map { try SocketAddress($0) }
        let application = HTTPApplication(
            respond: { request, _ in TestServer.respond(to: request, gate, promises) },
            refuse: { HTTPResponse(status: $0.status, fields: .none, body: Array($0.code.utf8)) },
            isExemptFromLimits: { $0.hasPath("/exempt") }, notice: { records.append($0) },
            observe: { records.append($0) })
        server = try Server(
            listeningOn: addresses.map { PlainListener($0, recognisesPreface: recognisesPreface) },
            inheriting: inherited, settings: settings, application: application)
        server.start()
    }

    deinit {
        gate.openForGood()
        server.stop()
        server.waitUntilStopped()
    }

    var address: SocketAddress { server.addresses[0] }

    func connect() throws -> TestClient { try TestClient(address) }

    /// Waits for the server's end; false if it does not come.
    func isStopped() -> Bool {
        let stopped = DispatchSemaphore(value: 0)
        let server = server
        DispatchQueue(label: "stopped").async {
            server.waitUntilStopped()
            stopped.signal()
        }
        return stopped.wait(timeout: .now() + 20) == .success
    }

    private static func respond(
        to request: borrowing HTTPRequest, _ gate: Gate, _ promises: Promises
    ) -> HTTPAnswer {
        let path = request.path
        if path.hasPrefix("/gate") {
            return .afterWork { _ in
                gate.pass(path)
                return text(path)
            }
        }
        if path.hasPrefix("/work") { return .afterWork { _ in text(path) } }
        if path.hasPrefix("/late") { return .later { promises.append(Promise($0)) } }
        if path.hasPrefix("/changed") {
            return HTTPAnswer.later { promises.append(Promise($0)) }.map { response in
                HTTPResponse(status: response.status, fields: .none, body: Array("changed ".utf8) + response.body)
            }
        }
        if path.hasPrefix("/promise") { return .afterWork { _ in .later { promises.append(Promise($0)) } } }
        if path.hasPrefix("/helped") { return .later { promises.help(Promise($0)) { _ in text(path) } } }
        if path == "/id" { return text(request.identity.text) }
        if path == "/peer" { return text(request.peer?.description ?? "none") }
        if path == "/large" {
            let annotation = HTTPAnnotation(route: path)
            return .now(HTTPResponse(status: .ok, fields: .none, body: largeBody, annotation: annotation))
        }
        return text(path)
    }

    /// An answer at hand.
    static func text(_ body: String) -> HTTPAnswer {
        .now(
            HTTPResponse(
                status: .ok, fields: .none, body: Array(body.utf8), annotation: HTTPAnnotation(route: body)))
    }
}

/// Where work waits until the test lets it go, one piece at a time.
final class Gate: Sendable {
    private let arrivals = DispatchSemaphore(value: 0)
    private let permits = DispatchSemaphore(value: 0)

    func pass(_ path: String) {
        arrivals.signal()
        permits.wait()
    }

    /// Waits until a piece of work stands at the gate; false if none comes.
    func hasArrival() -> Bool { arrivals.wait(timeout: .now() + 20) == .success }

    func letOnePass() { permits.signal() }

    func openForGood() { for _ in 0..<1000 { permits.signal() } }
}

/// What a server told of its answers.
final class Records: @unchecked Sendable {  // Both lists are touched on the queue only.
    private let queue = DispatchQueue(label: "records")
    private var records: [AccessRecord] = []
    private var told: [ServerNotice] = []

    func append(_ notice: ServerNotice) { queue.sync { told.append(notice) } }

    var notices: [ServerNotice] { queue.sync { told } }

    func append(_ record: AccessRecord) { queue.sync { records.append(record) } }

    var all: [AccessRecord] { queue.sync { records } }
}

extension UInt64 {
    /// Nanoseconds.
    static func milliseconds(_ count: UInt64) -> UInt64 { count * 1_000_000 }
}
