import FleetEngineToken
import OpenSSLCrypto
import OpenSSLSigner
import Testing

@testable import BatchSigning

/// A library that computes wrongly.
@Suite struct WrongSignatureTests {
    /// Calls while a library is loaded: 996 messages by 8, then one batch of the key.
    private static let callsAtLoad = 126

    private func library(_ macros: String...) throws -> CryptoMBLibrary {
        try CryptoMB.library(at: BatchLibraries.compiled("wrong", macros[0], macros.count > 1 ? macros[1] : "UNUSED"))
    }

    @Test(arguments: ["WRONG_FROM=0", "WRONG_FROM=60", "WRONG_FROM=125"])
    func `a library that is wrong in its test is refused for good`(macro: String) throws {
        let library = try library(macro, "WRONG_LANE=1")
        let key = try RSAPrivateKey.generate()
        let single = try RS256Signer(account: "a@b.test", keyID: "tested", privateKey: key)
        for _ in 0..<2 {
            let error = #expect(throws: CryptoMBError.self) { _ = try BatchSigner(single, key, by: library) }
            #expect(error == .wrongSignature(file: library.file, key: "tested"))
            #expect(!library.isUsable && library.wrongSignatures == 1)
        }
    }

    @Test func `a wrong signature is not returned and ends the batches`() throws {
        let library = try library("WRONG_FROM=\(Self.callsAtLoad + 1)", "WRONG_LANE=2")
        let fixture = try BatchFixture(library)
        let (good, bad) = (fixture.orders(8), fixture.orders(8))
        let before = CryptoMB.wrongSignatures
        #expect(try fixture.signers[0].sign(together: good).signatures == fixture.expected(good))
        #expect(fixture.signers[0].batchSizes == 3...8)
        let batch = fixture.signers[0].sign(together: bad)
        var expected = try fixture.expected(bad)
        expected[2] = nil
        #expect(batch.signatures == expected)
        #expect(batch.fault?.contains("made a wrong signature with key key-0") == true)
        #expect(fixture.signers[0].batchSizes == nil)
        #expect(library.wrongSignatures == 1)
        // What was under way in another event loop reports nothing again.
        #expect(fixture.signers[0].sign(together: bad).fault == nil)
        #expect(CryptoMB.wrongSignatures > before)
    }

    @Test func `a file that is not crypto_mb is refused with its reason`() throws {
        for (path, words) in [
            ("/nowhere/libcrypto_mb.so", "cannot be loaded: /nowhere"), ("libcrypto.so.3", "has no function mbx_"),
        ] {
            let error = #expect(throws: CryptoMBError.self) { _ = try CryptoMB.library(at: path) }
            #expect(error?.sentence.contains(words) == true)
        }
    }
}
