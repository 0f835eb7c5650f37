import Locking
import Testing

@testable import OpenSSLCrypto
@testable import OpenSSLCryptoTests
@testable import OpenSSLSigner

/// A module with one token in memory, whose state a test changes, and the keys that are opened by it.
final class FakeToken: Sendable {
    struct State {
        var isPresent = true
        var pin = "1234"
        /// The PIN in the file.
        var given = "1234"
        /// The keys by their labels.
        var keys: [String: RSAPrivateKey] = [:]
        /// Signatures by openings before this number fail.
        var opening = 0
        var logIns = 0
        var connections = 0
        var open = 0
    }

    let state: Guarded<State>
    let changes = Guarded<[HardwareKeys.Change]>([])
    /// What waits for its delay.
    private let waiting = Guarded<[@Sendable () -> Void]>([])

    init() throws {
        var state = State()
        state.keys["driver"] = try KeyFixture.key()
        self.state = Guarded(state)
    }

    func keys() -> HardwareKeys {
        HardwareKeys(report: { change in self.changes.withLock { $0.append(change) } }) {
            path, closed throws(HardwareKeyError) in
            FakeConnection(self, closed)
        } after: { _, queue, work in
            self.waiting.withLock { $0.append { queue.sync(execute: work) } }
        }
    }

    var access: HardwareKeys.Access { access(to: "/module.so") }

    func access(to module: String) -> HardwareKeys.Access {
        HardwareKeys.Access(module: module) { () throws(HardwareKeyError) in
            let given = self.state.withLock { $0.given }
            return try? TokenPIN(fileContent: Array(given.utf8))
        }
    }

    /// Removes the token, or puts it back: signatures by earlier openings then fail.
    func set(present: Bool) {
        state.withLock { state in
            state.isPresent = present
            state.opening += 1
        }
    }

    /// Runs what waits for its delay; false if nothing does.
    @discardableResult
    func pass() -> Bool {
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for item in work { item() }
        return !work.isEmpty
    }
}

private final class FakeConnection: TokenConnecting {
    private let token: FakeToken
    private let closed: @Sendable () -> Void
    private var isLoggedIn = false

    init(_ token: FakeToken, _ closed: @escaping @Sendable () -> Void) {
        (self.token, self.closed) = (token, closed)
        token.state.withLock { state in
            state.connections += 1
            state.open += 1
        }
    }

    func modulus(of uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> [UInt8] {
        let key = try key(uri, pin)
        guard let modulus = try? key.publicKey().modulus() else { throw .otherKey }
        return modulus
    }

    func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey {
        let key = try key(uri, pin)
        let (token, opening) = (token, token.state.withLock { $0.opening })
        guard let publicKey = try? key.publicKey() else { throw .otherKey }
        return OpenedKey(publicKey: publicKey) { message throws(OpenSSLFailure) in
            guard token.state.withLock({ $0.isPresent && $0.opening == opening }) else {
                throw OpenSSLFailure(operation: "sign", reason: "no such object")
            }
            return try key.sign(message)
        }
    }

    private func key(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> RSAPrivateKey {
        guard token.state.withLock({ $0.isPresent }) else { throw .noToken(present: []) }
        if !isLoggedIn {
            let right = token.state.withLock { state in
                state.logIns += 1
                return state.pin
            }
            guard pin == (try? TokenPIN(fileContent: Array(right.utf8))) else {
                throw .refusedPIN(token: "\"fleet\"", PKCS11Code(value: 0xA0))
            }
            isLoggedIn = true
        }
        let label = String(decoding: uri[.object] ?? [], as: UTF8.self)
        guard let key = token.state.withLock({ $0.keys[label] }) else {
            throw .noKey(token: "\"fleet\"", hasPublicKey: false)
        }
        return key
    }

    deinit {
        token.state.withLock { $0.open -= 1 }
        closed()
    }
}
