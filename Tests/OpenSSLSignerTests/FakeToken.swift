import Concurrency
import Dispatch
import TestSupport
import Testing

@testable import OpenSSLCrypto
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
        /// Held while the token does not answer.
        var hangs = false
        /// Whether a key that is opened makes no signature.
        var isMute = false
        /// Whether signatures are wrong in one bit.
        var isFaulty = false
        /// Keys that only connections from this number on can use.
        var firstConnection: [String: Int] = [:]
        /// Whether looking for a key waits for `answer`.
        var hangsOpening = false
    }

    let state: Guarded<State>
    let changes = Guarded<[HardwareKeys.Change]>([])
    /// What waits for its delay.
    private let waiting = Guarded<[@Sendable () -> Void]>([])
    private let deadlines = Guarded<[@Sendable () -> Void]>([])
    /// What a signature of a hanging token waits for.
    let answer = DispatchSemaphore(value: 0)
    /// Signalled by a signature that hangs from now on.
    let isHanging = DispatchSemaphore(value: 0)

    init() throws {
        var state = State()
        state.keys["driver"] = try KeyFixture.key()
        self.state = Guarded(state)
    }

    func keys(patience: DispatchTimeInterval = .seconds(60)) -> HardwareKeys {
        HardwareKeys(
            report: { change in self.changes.withLock { $0.append(change) } },
            connect: { _, closed throws(HardwareKeyError) in FakeConnection(self, closed) },
            after: { _, queue, work in self.waiting.withLock { $0.append { queue.sync(execute: work) } } },
            timer: { work in self.deadlines.withLock { $0.append(work) } }, patience: patience)
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

    /// Signatures in progress reach their deadline.
    func passDeadlines() {
        let due = deadlines.withLock { deadlines in
            defer { deadlines = [] }
            return deadlines
        }
        for item in due { item() }
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
    private let number: Int

    init(_ token: FakeToken, _ closed: @escaping @Sendable () -> Void) {
        (self.token, self.closed) = (token, closed)
        number = token.state.withLock { state in
            state.connections += 1
            state.open += 1
            return state.connections
        }
    }

    func token(of uri: PKCS11URI) throws(HardwareKeyError) -> [[UInt8]] { [uri[.token] ?? []] }

    func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey {
        let key = try key(uri, pin)
        let (token, opening) = (token, token.state.withLock { $0.opening })
        let (number, label) = (number, String(decoding: uri[.object] ?? [], as: UTF8.self))
        guard let publicKey = try? key.publicKey() else { throw .otherKey }
        return OpenedKey(publicKey: publicKey) { message throws(HardwareKeyError) in
            if token.state.withLock({ $0.hangs }) {
                token.isHanging.signal()
                token.answer.wait()
            }
            let signs = token.state.withLock { state in
                let isReachable = number >= state.firstConnection[label] ?? 0
                return state.isPresent && state.opening == opening && !state.isMute && isReachable
            }
            guard signs, var signature = try? key.sign(message) else {
                throw .noSignature("C_Sign", PKCS11Code(value: 0x82))
            }
            if token.state.withLock({ $0.isFaulty }) { signature[0] ^= 1 }
            return signature
        }
    }

    private func key(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> RSAPrivateKey {
        if token.state.withLock({ $0.hangsOpening }) { token.answer.wait() }
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
        let known = token.state.withLock { number >= $0.firstConnection[label] ?? 0 ? $0.keys[label] : nil }
        guard let key = known else {
            throw .noKey(token: "\"fleet\"", hasPublicKey: false)
        }
        return key
    }

    deinit {
        token.state.withLock { $0.open -= 1 }
        closed()
    }
}
