import Concurrency
import Dispatch
import FleetEngineToken
import OpenSSLCrypto
import OpenSSLSigner
import Testing

@testable import BatchSigning

/// What holds with each library, by the one that runs on any processor.
@Suite struct BatchSignerTests {
    private let library: CryptoMBLibrary

    init() throws { library = try CryptoMB.library(at: BatchLibraries.sound.get()) }

    @Test func `batches of 1 to 8 messages have OpenSSL's signatures`() throws {
        try Agreement(library).check(batches: 8)
    }

    @Test func `a batch may have messages of several keys`() throws {
        try Agreement(library).check(batches: 2, keys: 3)
    }

    @Test func `threads that sign at the same time get their own signatures`() throws {
        try Agreement(library).checkThreads()
    }

    @Test func `Wycheproof's signatures are made`() throws {
        try Agreement(library).checkWycheproof()
    }

    @Test func `a single message is signed by the signer alone`() throws {
        let fixture = try BatchFixture(library)
        let order = fixture.orders(1)[0]
        #expect(try fixture.signers[0].sign(order.message) == fixture.expected([order])[0])
        #expect(fixture.signers[0].keyID == "key-0" && fixture.signers[0].account == "a@b.test")
    }

    @Test func `a key of another length has no batches`() throws {
        let key = try RSAPrivateKey.generate(bits: 3072)
        let signer = try RS256Signer(account: "a@b.test", keyID: "long", privateKey: key)
        #expect(try BatchSigner(signer, key, by: library) == nil)
    }

    @Test func `more messages than lanes are left to be signed alone`() throws {
        let fixture = try BatchFixture(library)
        let batch = fixture.signers[0].sign(together: [])
        #expect(batch.signatures.isEmpty && batch.fault == nil)
        #expect(library.apply([]).isEmpty)
    }
}

/// The same with Intel's library.
@Suite(
    .enabled(
        if: BatchLibraries.canUseIntel,
        "not run: TEST_CRYPTO_MB does not name Intel's library, or this processor lacks AVX-512 IFMA"))
struct IntelLibraryTests {
    private func library() throws -> CryptoMBLibrary { try CryptoMB.library(at: BatchLibraries.intel) }

    @Test func `batches of 1 to 8 messages have OpenSSL's signatures by Intel`() throws {
        try Agreement(library()).check(batches: 8)
    }

    @Test func `2,000 random messages of three keys have OpenSSL's signatures`() throws {
        try Agreement(library()).check(batches: 250, keys: 3, isEachFull: true)
    }

    @Test func `threads that sign at once get their own signatures`() throws {
        try Agreement(library()).checkThreads()
    }

    @Test func `Wycheproof's signatures are made by Intel`() throws {
        try Agreement(library()).checkWycheproof()
    }
}

/// Compares a library with OpenSSL.
private struct Agreement {
    let library: CryptoMBLibrary

    init(_ library: CryptoMBLibrary) { self.library = library }

    func check(batches: Int, keys: Int = 1, isEachFull: Bool = false) throws {
        let fixture = try BatchFixture(library, keys: keys)
        for number in 0..<batches {
            let orders = fixture.orders(isEachFull ? 8 : number % 8 + 1)
            let batch = fixture.signers[0].sign(together: orders)
            #expect(try batch.signatures == fixture.expected(orders))
            #expect(batch.fault == nil)
        }
        #expect(library.isUsable && library.wrongSignatures == 0)
    }

    func checkThreads() throws {
        let fixture = try BatchFixture(library, keys: 2)
        let agreements = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            let orders = fixture.orders(number % 8 + 1)
            let signatures = fixture.signers[number % 2].sign(together: orders).signatures
            let agree = (try? fixture.expected(orders)) == signatures
            agreements.withLock { $0 += agree ? 1 : 0 }
        }
        #expect(agreements.withLock { $0 } == 16)
        #expect(library.isUsable && library.wrongSignatures == 0)
    }

    func checkWycheproof() throws {
        let groups = try WycheproofVectors.all().groups
        #expect(groups.map(\.tests.count) == [8, 1, 1])
        for (number, group) in groups.enumerated() {
            let key = try RSAPrivateKey(pem: Array(group.key.utf8))
            let single = try RS256Signer(account: "a@b.test", keyID: "wycheproof", privateKey: key)
            // The other two keys have primes of 1364 and 684 bits, which batches do not sign with.
            guard number == 0 else {
                #expect(try BatchSigner(single, key, by: library) == nil)
                continue
            }
            let signer = try #require(try BatchSigner(single, key, by: library))
            let orders = group.tests.map { BatchOrder(signer: signer, message: WycheproofVectors.bytes($0.msg)) }
            #expect(
                signer.sign(together: orders).signatures == group.tests.map { WycheproofVectors.bytes($0.sig) })
        }
    }
}
