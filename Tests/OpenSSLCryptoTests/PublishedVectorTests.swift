import OpenSSLCrypto
import StrictJSON
import Testing

@Suite struct PublishedVectorTests {
    private func key(_ vector: PublishedVector) throws -> VerificationKey {
        try #require(try JWKSet(parsing: Array(vector.jwk.utf8)).keys.first).key
    }

    @Test func `each RFC example verifies only by its own algorithm`() throws {
        for vector in PublishedVector.all {
            let key = try key(vector)
            let signature = try Base64URL.decode(vector.signature.utf8)
            let message = Array(vector.message.utf8)
            let verifying = JWSAlgorithm.allCases.filter { key.verify(signature, of: message, by: $0) }
            let names: [JWSAlgorithm] = vector.algorithm == .edDSA ? [.edDSA, .ed25519] : [vector.algorithm]
            #expect(verifying == names, "\(vector.source)")
        }
    }

    @Test func `no example verifies with a changed, shortened or lengthened signature`() throws {
        for vector in PublishedVector.all {
            let key = try key(vector)
            let signature = try Base64URL.decode(vector.signature.utf8)
            let message = Array(vector.message.utf8)
            func verifies(_ signature: [UInt8]) -> Bool { key.verify(signature, of: message, by: vector.algorithm) }
            for index in signature.indices {
                var changed = signature
                changed[index] ^= 1 << UInt8(index % 8)
                #expect(!verifies(changed), "\(vector.source), byte \(index)")
            }
            let half = signature.count / 2
            for other in [
                [], [0], Array(signature.dropLast()), Array(signature.dropFirst()), signature + [0], [0] + signature,
                signature + signature, Array(signature.prefix(half)), Array(signature.suffix(half)),
                [UInt8](repeating: 0, count: signature.count), [UInt8](repeating: 0xFF, count: signature.count),
            ] {
                #expect(!verifies(other), "\(vector.source), \(other.count) bytes")
            }
        }
    }

    @Test func `no example verifies with another message`() throws {
        for vector in PublishedVector.all {
            let key = try key(vector)
            let signature = try Base64URL.decode(vector.signature.utf8)
            let message = Array(vector.message.utf8)
            for other in [[], message + [0], Array(message.dropLast()), Array(message.dropFirst())] {
                #expect(!key.verify(signature, of: other, by: vector.algorithm), "\(vector.source)")
            }
        }
    }

    @Test func `the ES512 example key of RFC 7520 is skipped for its curve`() throws {
        let set = try JWKSet(parsing: Array(PublishedVector.p521JWK.utf8))
        #expect(set.keys.isEmpty)
        #expect(set.skipped == ["key 1 of the set has crv other than P-256 or P-384"])
    }
}
