import Foundation
import TestSupport
import Testing

@testable import OpenSSLCrypto

/// Signatures by RS256 that look like valid ones.
struct RS256ForgeryTests {
    private let message = Array("header.payload".utf8)

    /// What the private key makes of a block of 256 bytes without any padding.
    private func opened(_ block: [UInt8]) throws -> [UInt8] {
        try OpenSSLCommand.inFolder { folder in
            try KeyFixture.pem().write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            try Data(block).write(to: URL(filePath: "\(folder)/block"))
            _ = try OpenSSLCommand.run(
                "pkeyutl", "-decrypt", "-inkey", "\(folder)/key", "-in", "\(folder)/block", "-pkeyopt",
                "rsa_padding_mode:none", "-out", "\(folder)/signature")
            return Array(try Data(contentsOf: URL(filePath: "\(folder)/signature")))
        }
    }

    private var digest: [UInt8] { SHA256Digest(of: message).bytes }
    private var information: [UInt8] {
        [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
    }

    private func block(_ end: [UInt8], type: UInt8 = 1, fill: UInt8 = 0xFF) -> [UInt8] {
        [0, type] + [UInt8](repeating: fill, count: 253 - end.count) + [0] + end
    }

    @Test func `each changed byte of a signature is refused`() throws {
        let verifier = try KeyFixture.key().publicKey()
        let signature = try KeyFixture.key().sign(message)
        #expect(verifier.verify(signature, of: message, by: .rs256))
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(!verifier.verify(changed, of: message, by: .rs256))
        }
        #expect(verifier.verify(signature, of: message, by: .rs256))
    }

    @Test func `a signature plus the modulus is refused`() throws {
        let verifier = try KeyFixture.key().publicKey()
        let modulus = try verifier.modulus()
        for signature in [modulus, [UInt8](repeating: 0xFF, count: 256)] {
            #expect(!verifier.verify(signature, of: message, by: .rs256))
        }
        // Only small ones have a sum of the same length.
        let sums = try (UInt8(0)..<64).compactMap { number -> (message: [UInt8], sum: [UInt8])? in
            var (carry, sum) = (0, try KeyFixture.key().sign([number]))
            for place in sum.indices.reversed() {
                let total = Int(sum[place]) + Int(modulus[place]) + carry
                (sum[place], carry) = (UInt8(total & 0xFF), total >> 8)
            }
            return carry == 0 ? ([number], sum) : nil
        }
        for (message, sum) in sums {
            #expect(!verifier.verify(sum, of: message, by: .rs256))
        }
    }

    @Test func `a signature with more or fewer leading zeros is refused`() throws {
        let verifier = try KeyFixture.key().publicKey()
        let key = try KeyFixture.key()
        var number = 0
        while try key.sign(Array("\(number)".utf8))[0] != 0 { number += 1 }
        let message = Array("\(number)".utf8)
        let signature = try key.sign(message)
        #expect(verifier.verify(signature, of: message, by: .rs256))
        for other in [[0] + signature, Array(signature.dropFirst()), []] {
            #expect(!verifier.verify(other, of: message, by: .rs256))
        }
    }

    @Test func `only the one right encoding of a digest is accepted`() throws {
        let verifier = try KeyFixture.key().publicKey()
        let right = block(information + digest)
        #expect(try opened(right) == KeyFixture.key().sign(message))
        let withoutNull = [0x30, 0x2F, 0x30, 0x0B] + information[4..<15] + [0x04, 0x20] + digest
        let wrong: [[UInt8]] = [
            block(information + digest, type: 2), block(information + digest, fill: 0xFE), block(Array(withoutNull)),
            block(digest), block(information + digest.reversed()),
            [0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0] + information + digest
                + [UInt8](repeating: 0, count: 194),
            [UInt8](repeating: 0, count: 255) + [1],
        ]
        for block in wrong {
            let signature = try opened(block)
            #expect(!verifier.verify(signature, of: message, by: .rs256))
        }
    }

    @Test func `many messages are verified by several threads at once`() throws {
        let key = try KeyFixture.key()
        let verifier = try key.publicKey()
        let signed = try (0..<40).map { number in
            let message = [UInt8](repeating: UInt8(number), count: number)
            return (message, try key.sign(message))
        }
        DispatchQueue.concurrentPerform(iterations: 400) { number in
            let (message, signature) = signed[number % 40]
            #expect(verifier.verify(signature, of: message, by: .rs256))
            #expect(!verifier.verify(signature, of: message + [0], by: .rs256))
        }
    }
}
