import Concurrency
import FleetEngineToken
import TestSupport
import Testing

@testable import OpenSSLCrypto
@testable import OpenSSLSigner

@Suite struct HardwareKeysTests {
    private let token: FakeToken
    private let keys: HardwareKeys
    private let uri: PKCS11URI

    init() throws {
        token = try FakeToken()
        keys = token.keys()
        uri = try PKCS11URI("pkcs11:token=fleet;object=driver")
    }

    /// Has the background look after the keys, and waits for it.
    private func settle() { keys.queue.sync {} }

    /// Starts a signature.
    private func signature(
        _ claims: [UInt8], by signer: HardwareTokenSigner
    ) -> Awaited<Result<[UInt8], RemoteSigningError>> {
        Awaited { done in
            InlineExecutor.start(
                {
                    await Result(awaiting: { () throws(RemoteSigningError) in
                        try await signer.sign(claims, .request)
                    })
                }, done)
        }
    }

    @Test func `a key signs what its public half verifies`() throws {
        let signer = try RS256Signer(account: "a@b.example", keyID: "k", heldKey: keys.key(uri, token.access))
        let signature = try signer.sign([1, 2])
        #expect(signer.publicKey.verify(signature, of: [1, 2], by: .rs256))
        #expect(try signer.publicKeyPEM() == KeyFixture.key().publicKey().object.pem())
        try signer.probe()
    }

    @Test func `one connection serves all keys and ends with the last`() throws {
        token.state.withLock { $0.keys["consumer"] = $0.keys["driver"] }
        var first: HardwareKey? = try keys.key(uri, token.access)
        var second: HardwareKey? = try keys.key(PKCS11URI("pkcs11:token=fleet;object=consumer"), token.access)
        #expect(token.state.withLock { [$0.connections, $0.logIns, $0.open] } == [1, 1, 1])
        #expect(first !== second)
        first = nil
        settle()
        #expect(token.state.withLock { $0.open } == 1)
        second = nil
        settle()
        #expect(token.state.withLock { $0.open } == 0)
    }

    @Test func `the same key is opened once`() throws {
        let first = try keys.key(uri, token.access)
        #expect(try keys.key(uri, token.access) === first)
        #expect(token.state.withLock { $0.connections } == 1)
    }

    @Test func `a lost key says why until its token is back`() throws {
        let key = try keys.key(uri, token.access)
        token.set(present: false)
        let first = try #require(throws: SigningError.self) { try key.sign([1]) }
        let cause = "the token makes no signature, since C_Sign failed: no such object; expected a key that may sign"
        #expect(first == SigningError(reason: "\(uri.text): \(cause)", isReported: true))
        settle()
        let second = try #require(throws: SigningError.self) { try key.sign([1]) }
        #expect(second.reason == "\(uri.text): no token has these attributes (present: none); expected one")
        token.set(present: true)
        #expect(throws: SigningError.self) { try key.sign([1]) }
        #expect(token.pass())
        #expect(try !key.sign([1]).isEmpty)
        #expect(!token.pass())
        #expect(
            token.changes.withLock { $0 } == [.lost(uri, reason: second.reason), .recovered(uri)])
    }

    @Test func `a token that does not answer blocks no caller`() throws {
        let signer = try RS256Signer(account: "a@b.example", keyID: "k", heldKey: keys.key(uri, token.access))
        let hardware = try #require(signer.inHardware)
        token.state.withLock { $0.hangs = true }
        let first = signature([1], by: hardware)
        token.isHanging.wait()
        let second = signature([2], by: hardware)
        #expect(hardware.outage() == nil)
        token.passDeadlines()
        let reason = "the token does not answer; expected a signature within 2 s"
        for call in [first, second] {
            let error = #expect(throws: RemoteSigningError.self) { try call.value()?.get() }
            #expect(error?.reason == reason && error?.retryAfter == 1)
            #expect(error?.remedy.cure.hasPrefix("connect the device, or the network to it") == true)
        }
        #expect(hardware.outage() != nil)
        #expect(throws: SigningError.self) { try signer.sign([3]) }
        token.state.withLock { $0.hangs = false }
        // The background may have tried a signature of its own meanwhile.
        for _ in 0..<2 { token.answer.signal() }
        settle()
        token.pass()
        settle()
        let jws = try #require(try signature(Array("{}".utf8), by: hardware).value()?.get())
        let parts = jws.split(separator: UInt8(ascii: "."))
        #expect(parts.count == 3)
        #expect(hardware.outage() == nil)
    }

    @Test func `too many signatures that wait are refused and lose no key`() throws {
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.hangs = true }
        let calls = (0..<SigningQueue.maxWaiting).map { _ in Awaited { key.sign([1], $0) } }
        let refused = try #require(Awaited { key.sign([1], $0) }.value())
        #expect(throws: HardwareFailure.self) { try refused.get() }
        #expect(key.isOpen)
        token.state.withLock { $0.hangs = false }
        token.answer.signal()
        for call in calls { _ = try #require(call.value()).get() }
    }

    @Test func `a session that ended is opened again at once`() throws {
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.opening += 1 }
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        #expect(try !key.sign([1]).isEmpty)
        #expect(token.changes.withLock { $0 } == [.recovered(uri)])
        #expect(!token.pass())
    }

    @Test func `a long absence is reported once`() throws {
        let key = try keys.key(uri, token.access)
        token.set(present: false)
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        for _ in 0..<20 { #expect(token.pass()) }
        #expect(token.changes.withLock { $0.count } == 1)
        #expect(token.state.withLock { $0.open } <= 1)
    }

    @Test func `a wrong PIN is tried once for all keys`() throws {
        token.state.withLock { $0.given = "9999" }
        for _ in 0..<5 {
            let error = try #require(throws: HardwareKeyError.self) { try keys.key(uri, token.access) }
            #expect(error.isRefusedPIN)
            #expect(!error.sentence(about: "k").contains("9999"))
        }
        #expect(token.state.withLock { $0.logIns } == 1)
        keys.beginLoading()
        #expect(throws: HardwareKeyError.self) { try keys.key(uri, token.access) }
        #expect(token.state.withLock { $0.logIns } == 2)
    }

    @Test func `a token back with another PIN is tried once for each content`() throws {
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.pin = "5678" }
        token.set(present: true)
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        for _ in 0..<10 { token.pass() }
        #expect(token.state.withLock { $0.logIns } == 2)
        token.state.withLock { $0.given = "5678" }
        token.pass()
        #expect(try !key.sign([1]).isEmpty)
        #expect(token.state.withLock { $0.logIns } == 3)
        #expect(token.changes.withLock { $0.count } == 2)
    }

    @Test func `another key under the same name does not sign`() throws {
        let key = try keys.key(uri, token.access)
        let other = try RSAPrivateKey.generate()
        token.state.withLock { $0.keys["driver"] = other }
        token.set(present: true)
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        let error = try #require(throws: SigningError.self) { try key.sign([1]) }
        #expect(error.reason.contains("another key than before"))
        // A reload uses it.
        keys.beginLoading()
        let new = try keys.key(uri, token.access)
        #expect(new !== key)
        #expect(try other.publicKey().verify(new.sign([1]), of: [1], by: .rs256))
    }

    @Test func `a load finds a token that came back unnoticed`() throws {
        let key = try keys.key(uri, token.access)
        token.set(present: true)
        keys.beginLoading()
        #expect(try keys.key(uri, token.access) === key)
        #expect(try !key.sign([1]).isEmpty)
    }

    @Test func `a key that is not used any more is not opened again`() throws {
        var key: HardwareKey? = try keys.key(uri, token.access)
        token.set(present: false)
        #expect(throws: SigningError.self) { try key?.sign([1]) }
        settle()
        key = nil
        token.pass()
        settle()
        #expect(!token.pass())
        #expect(token.state.withLock { $0.open } == 0)
    }

    @Test func `a token that needs a new connection recovers while another key signs`() throws {
        token.state.withLock { $0.keys["consumer"] = $0.keys["driver"] }
        let lost = try keys.key(PKCS11URI("pkcs11:token=fleet;object=consumer"), token.access)
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.firstConnection["consumer"] = 2 }
        #expect(throws: SigningError.self) { try lost.sign([1]) }
        settle()
        for _ in 0..<3 { #expect(token.pass()) }
        #expect(!lost.isOpen && key.isOpen)
        for _ in 0..<2 { token.pass() }
        #expect(try !lost.sign([1]).isEmpty)
        #expect(try !key.sign([1]).isEmpty)
        #expect(token.state.withLock { [$0.connections, $0.open] } == [2, 1])
        #expect(token.changes.withLock { $0.filter { $0 == .recovered(uri) } } == [])
    }

    @Test func `a load reconnects although another key signs`() throws {
        token.state.withLock { $0.keys["consumer"] = $0.keys["driver"] }
        let consumer = try PKCS11URI("pkcs11:token=fleet;object=consumer")
        let lost = try keys.key(consumer, token.access)
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.firstConnection["consumer"] = 2 }
        keys.beginLoading()
        #expect(try keys.key(consumer, token.access) === lost)
        #expect(try !lost.sign([1]).isEmpty)
        #expect(try !key.sign([1]).isEmpty)
    }

    @Test func `a wrong signature reaches no caller`() throws {
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.isFaulty = true }
        let refusal = try #require(throws: SigningError.self) { try key.sign([1, 2, 3]) }
        #expect(refusal.reason.contains("the token made a signature that does not verify"))
        settle()
        #expect(!key.isOpen)
        token.state.withLock { $0.isFaulty = false }
        #expect(token.pass())
        settle()
        #expect(key.isOpen)
    }

    @Test func `a key that opens but does not sign stays lost`() throws {
        let key = try keys.key(uri, token.access)
        token.state.withLock { $0.isMute = true }
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        for _ in 0..<5 {
            #expect(throws: SigningError.self) { try key.sign([1]) }
            #expect(token.pass())
        }
        let changes = token.changes.withLock { $0 }
        #expect(changes.count == 1 && !changes.contains(.recovered(uri)))
        token.state.withLock { $0.isMute = false }
        token.pass()
        #expect(try !key.sign([1]).isEmpty)
    }

    @Test func `a configuration that is not used changes no key`() throws {
        let key = try keys.key(uri, token.access)
        let wrong = HardwareKeys.Access(module: "/module.so") { () throws(HardwareKeyError) in
            try? TokenPIN(fileContent: Array("9999".utf8))
        }
        #expect(try keys.key(uri, wrong) === key)
        token.set(present: true)
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        #expect(try !key.sign([1]).isEmpty)
        keys.start(wrong)
        token.set(present: true)
        #expect(throws: SigningError.self) { try key.sign([1]) }
        settle()
        #expect(!key.isOpen)
    }

    @Test func `a token that does not answer ends a load`() throws {
        let keys = token.keys(patience: .milliseconds(50))
        token.state.withLock { $0.hangsOpening = true }
        for _ in 0..<2 {
            #expect(throws: HardwareKeyError.noAnswer) { try keys.key(uri, token.access) }
        }
        token.state.withLock { $0.hangsOpening = false }
        token.answer.signal()
        keys.queue.sync {}
        #expect(token.state.withLock { $0.connections } == 1)
    }

    @Test func `a second module waits for a restart`() throws {
        let key = try keys.key(uri, token.access)
        let error = try #require(throws: HardwareKeyError.self) { try keys.key(uri, token.access(to: "/other.so")) }
        #expect(error == .otherModule(than: "/module.so"))
        withExtendedLifetime(key) {}
    }
}
