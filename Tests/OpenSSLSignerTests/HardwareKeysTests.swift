import FleetEngineToken
import Testing

@testable import OpenSSLCrypto
@testable import OpenSSLCryptoTests
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

    @Test func `a key signs what its public half verifies`() throws {
        let signer = try RS256Signer(account: "a@b.example", keyID: "k", hardwareKey: keys.key(uri, token.access))
        let signature = try signer.sign([1, 2])
        #expect(try signer.publicKey().verify(signature, of: [1, 2], by: .rs256))
        #expect(try signer.publicKeyPEM() == KeyFixture.key().publicKeyPEM())
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
        #expect(first == SigningError(reason: "OpenSSL could not sign: no such object", isReported: true))
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

    @Test func `a wrong PIN is tried once, however many keys want it`() throws {
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

    @Test func `a second module waits for a restart`() throws {
        let key = try keys.key(uri, token.access)
        let error = try #require(throws: HardwareKeyError.self) { try keys.key(uri, token.access(to: "/other.so")) }
        #expect(error == .otherModule(than: "/module.so"))
        withExtendedLifetime(key) {}
    }
}
