import TestSupport
import Dispatch

@testable import HTTPServer

/// A server on its own port, with an application that a test can observe:
///
/// - `/now...` answers with its path at once, `/work...` after work, `/gate...` after work that waits for the test;
/// - `/batch...` answers after work that is done for 3 to 8 requests at once, with their number;
/// - `/late...` promises an answer that the test gives, `/promise...` promises one after work, `/helped...` one that
///   another thread gives at once;
/// - `/added/…` is answered like the path after `/added`, with a header of the application;
/// - `/peer` answers with the peer's address as the server sees it, `/id` with the request's id;
/// - `/shared…` answers with content that is shared with other answers;
/// - `/large` answers with 8 MB at once, `/exempt` is answered beyond the connection limits too.
final class TestServer: Sendable {
    static let largeBody = [UInt8](repeating: UInt8(ascii: "x"), count: 8_388_608)

    let server: Server
    let gate: Gate
    let records: Records
    let promises: Promises

    /// Takes ownership of a listening socket, in addition to the ones that it opens.
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
            headers: { $0.pathBegins(with: "/added/") ? HTTPFields([("X-Added", "yes")]) : nil },
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

    /// Waits until the server has stopped; false if it does not.
    func isStopped() -> Bool {
        let stopped = DispatchSemaphore(value: 0)
        let server = server
        DispatchQueue(label: "stopped").async {
            server.waitUntilStopped()
            stopped.signal()
        }
        return stopped.wait(timeout: Patience.end) == .success
    }

    private static func respond(
        to request: borrowing HTTPRequest, _ gate: Gate, _ promises: Promises
    ) -> HTTPAnswer {
        let path = request.path.hasPrefix("/added/") ? String(request.path.dropFirst(6)) : request.path
        if path.hasPrefix("/gate") {
            return .afterWork { _ in
                gate.pass(path)
                return text(path)
            }
        }
        if path.hasPrefix("/work") { return .afterWork { _ in text(path) } }
        if path.hasPrefix("/batch") {
            let batch = TestBatch()
            return .afterWork(sharing: batch) { _ in text("\(path) of \(batch.size)") }
        }
        if path.hasPrefix("/late") { return .later { promises.append(Promise($0)) } }
        if path.hasPrefix("/promise") { return .afterWork { _ in .later { promises.append(Promise($0)) } } }
        if path.hasPrefix("/helped") { return .later { promises.help(Promise($0)) { _ in text(path) } } }
        if path == "/id" { return text(request.identity.text) }
        if path == "/peer" { return text(request.peer?.description ?? "none") }
        if path.hasPrefix("/shared") {
            return .now(HTTPResponse(status: .ok, fields: .none, content: .shared(SharedPath(path))))
        }
        if path == "/large" {
            let annotation = HTTPAnnotation(route: path)
            return .now(HTTPResponse(status: .ok, fields: .none, body: largeBody, annotation: annotation))
        }
        return text(path)
    }

    /// An immediate answer.
    static func text(_ body: String) -> HTTPAnswer {
        .now(
            HTTPResponse(
                status: .ok, fields: .none, body: Array(body.utf8), annotation: HTTPAnnotation(route: body)))
    }
}

/// Work that knows with how many others it was done.
final class TestBatch: SharedWork {
    private(set) var size = 1
    var mostAtOnce: Int { size == 1 ? 8 : 1 }

    func perform(with others: [any SharedWork], at time: ServerTime) {
        guard others.count > 1 else { return }
        for batch in [self] + others.compactMap({ $0 as? TestBatch }) { batch.size = others.count + 1 }
    }
}

/// Holds work back until the test lets it pass, one piece at a time.
final class Gate: Sendable {
    private let arrivals = DispatchSemaphore(value: 0)
    private let permits = DispatchSemaphore(value: 0)

    func pass(_ path: String) {
        arrivals.signal()
        permits.wait()
    }

    /// Waits until a piece of work has reached the gate; false if none does.
    func hasArrival() -> Bool { arrivals.wait(timeout: Patience.end) == .success }

    func letOnePass() { permits.signal() }

    func openForGood() { for _ in 0..<1000 { permits.signal() } }
}

/// The records and notices of a server.
final class Records: @unchecked Sendable {  // Both lists are used only on the queue.
    private let queue = DispatchQueue(label: "records")
    private var records: [AccessRecord] = []
    private var allNotices: [ServerNotice] = []

    func append(_ notice: ServerNotice) { queue.sync { allNotices.append(notice) } }

    var notices: [ServerNotice] { queue.sync { allNotices } }

    func append(_ record: AccessRecord) { queue.sync { records.append(record) } }

    var all: [AccessRecord] { queue.sync { records } }
}

extension UInt64 {
    /// Milliseconds as nanoseconds.
    static func milliseconds(_ count: UInt64) -> UInt64 { count * 1_000_000 }
}

/// A path as content.
private final class SharedPath: SharedContent {
    private let bytes: [UInt8]

    init(_ path: String) { bytes = Array(path.utf8) }

    var answerBytes: Int { bytes.count }

    func copyAnswer(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
        UnsafeMutableRawBufferPointer(start: target, count: range.count).copyBytes(from: bytes[range])
    }
}
