import Dispatch
import Foundation
import OpenSSLCrypto
import Synchronization
import TestSupport
import Testing

@Suite struct RSAPrivateKeyTests {
    @Test func `a signature equals openssl's for the same key and verifies there`() throws {
        let message = Array("header.payload".utf8)
        let signature = try KeyFixture.key().sign(message)
        try OpenSSLCommand.inFolder { folder in
            try Data(message).write(to: URL(fileURLWithPath: "\(folder)/message"))
            try Data(signature).write(to: URL(fileURLWithPath: "\(folder)/signature"))
            try KeyFixture.pem().write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            try KeyFixture.key().publicKeyPEM().write(toFile: "\(folder)/public", atomically: true, encoding: .utf8)
            let verdict = try OpenSSLCommand.run(
                "dgst", "-sha256", "-verify", "\(folder)/public", "-signature", "\(folder)/signature",
                "\(folder)/message")
            #expect(verdict == "Verified OK\n")
            try OpenSSLCommand.run(
                "dgst", "-sha256", "-sign", "\(folder)/key", "-out", "\(folder)/own", "\(folder)/message")
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/own")) == Data(signature))
        }
    }

    @Test(arguments: [0, 1, 63, 64, 500, 100_000])
    func `a message of any length verifies, a changed one does not`(count: Int) throws {
        let key = try KeyFixture.key()
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let signature = try key.sign(message)
        #expect(signature.count == 256)
        #expect(try key.verify(signature, of: message))
        #expect(try !key.verify(signature, of: message + [0]))
        var changed = signature
        changed[100] ^= 1
        #expect(try !key.verify(changed, of: message))
        #expect(try !key.verify(Array(signature.dropLast()), of: message))
        #expect(try !key.verify([], of: message))
    }

    @Test func `a failed verification does not make the next call fail`() throws {
        let key = try KeyFixture.key()
        let signature = try key.sign([1])
        for _ in 0..<20 {
            #expect(try !key.verify([UInt8](repeating: 0xFF, count: 256), of: [1]))
            #expect(throws: KeyError.self) { try RSAPrivateKey(pem: Array(Self.garbage.utf8)) }
            #expect(try key.verify(signature, of: [1]))
            #expect(try key.sign([1]) == signature)
        }
    }

    @Test func `one key signs correctly on four threads at once`() throws {
        let key = try KeyFixture.key()
        let verified = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<50 {
                let message = Array("\(thread)/\(step)".utf8)
                guard let signature = try? key.sign(message), (try? key.verify(signature, of: message)) == true else {
                    continue
                }
                verified.add(1, ordering: .relaxed)
            }
        }
        #expect(verified.load(ordering: .relaxed) == 200)
    }

    @Test func `a generated key has the requested bits and a new modulus`() throws {
        let first = try RSAPrivateKey.generate()
        let second = try RSAPrivateKey.generate(bits: 2304)
        #expect(first.bits == 2048)
        #expect(second.bits == 2304)
        #expect(try second.sign([1]).count == 288)
        #expect(try first.publicKeyPEM() != second.publicKeyPEM())
        #expect(try first.publicKeyPEM().hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    }

    @Test(arguments: [-1, 0, 512, 2047])
    func `no key under 2048 bits is generated`(bits: Int) {
        #expect(throws: KeyError.tooShort(bits: bits)) { try RSAPrivateKey.generate(bits: bits) }
    }

    private static let garbage = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
}
