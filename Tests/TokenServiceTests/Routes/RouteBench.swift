@testable import CallerAccess
import Dispatch
import TestSupport
import Testing

@testable import FleetEngineToken
@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenService

/// The router in a real server on its own port, with a signer that a test can block or make fail.
final class RouteBench: Sendable {
    let signer: FakeSigner
    let log = RecordedLog()
    private let server: Server

    /// `reuseFraction` 1 makes every token stale at once, since tokens are back-dated. Where callers are authenticated,
    /// every kind is served.
    init(
        lifetime: Int64 = 3600, reuseFraction: Double = 0.5, loops: Int = 1, holding held: String? = nil,
        crossOrigin: CrossOrigin? = nil, callers: CallerGate? = nil
    ) throws {
        let signer = FakeSigner(holding: held)
        self.signer = signer
        let policy = try TokenPolicy(lifetime: lifetime, backdate: 30)
        let logger = log.logger
        let kinds = ServedKinds { kind in
            kind == .consumer || callers != nil ? TokenMinter(signer: signer, policy: policy) : nil
        }
        let callers = try callers ?? CallerGate(authenticators: nil, policy: AccessPolicy(rules: []))
        let margin = ClientMargin(Configuration.Token(lifetime: lifetime, backdate: 30))
        let router = Router(
            token: TokenRoute(
                gate: callers, clients: ClientAddresses(forwarded: nil), limits: .none,
                reader: TokenRequestReader(kinds: kinds, ignoredParameters: [], expiration: .absolute),
                handout: TokenHandout(
                    cache: TokenCache(maxBytes: 1 << 20, reuseFraction: reuseFraction),
                    answer: TokenAnswer(names: Configuration.Answer()) { _ in margin },
                    records: TokenRecords(
                        audit: nil, recordsReused: false, label: .plain,
                        refusals: RefusalRecords(nil, logger: logger)),
                    logger: logger),
                methods: crossOrigin == nil ? HTTPMethod.readingNames : CrossOrigin.methods),
            crossOrigin: crossOrigin)
        var settings = ServerSettings()
        settings.loops = loops
        server = try Server(
            listeningOn: [PlainListener(try SocketAddress("127.0.0.1:0"))], settings: settings,
            application: router.application(notice: { _ in }, observe: nil))
        server.start()
    }

    deinit {
        signer.releaseAll()
        server.stop()
        server.waitUntilStopped()
    }

    func connect() throws -> RouteClient { try RouteClient(server.addresses[0]) }
}

/// A signer that counts messages, can be made to fail, and holds messages with the given text until they are released.
final class FakeSigner: TokenSigner {
    static let reason = "the key store is locked; expected it open"

    let account = "fake@test.example"
    let keyID = "fake"
    private let held: String?
    private let state = Locked(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let permits = DispatchSemaphore(value: 0)

    private struct State {
        var asked = 0
        var isFailing = false
    }

    init(holding held: String?) { self.held = held }

    var asked: Int { state.withLock { $0.asked } }

    func fail(_ isFailing: Bool = true) { state.withLock { $0.isFailing = isFailing } }

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        let isFailing = state.withLock { state in
            state.asked += 1
            return state.isFailing
        }
        if let held, contains(held, message) {
            arrivals.signal()
            permits.wait()
        }
        guard !isFailing else { throw SigningError(reason: FakeSigner.reason) }
        return Array("signature".utf8)
    }

    /// Waits until a message is held; false if none comes.
    func hasArrival(before end: DispatchTime = Patience.end) -> Bool { arrivals.wait(timeout: end) == .success }

    func releaseAll() { for _ in 0..<1000 { permits.signal() } }

    private func contains(_ text: String, _ message: [UInt8]) -> Bool {
        let payload = message.split(separator: UInt8(ascii: ".")).last.map { String(decoding: $0, as: UTF8.self) }
        return payload.map { decodedBase64URL($0).contains(text) } ?? false
    }
}
