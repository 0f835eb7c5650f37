import FleetEngineToken
import Foundation
import OpenSSLCrypto
import OpenSSLSigner

@testable import BatchSigning

/// Signers with new keys, and messages for them.
struct BatchFixture {
    let signers: [BatchSigner]
    let keys: [RSAPrivateKey]

    init(_ library: CryptoMBLibrary, keys count: Int = 1) throws {
        keys = try (0..<count).map { _ in try RSAPrivateKey.generate() }
        signers = try keys.enumerated().compactMap { number, key in
            try BatchSigner(RS256Signer(account: "a@b.test", keyID: "key-\(number)", privateKey: key), key, by: library)
        }
    }

    /// Messages of random lengths up to 700 bytes, each for one of the signers in turn.
    func orders(_ count: Int) -> [BatchOrder] {
        (0..<count).map { number in
            BatchOrder(
                signer: signers[number % signers.count],
                message: (0..<Int.random(in: 0...700)).map { _ in UInt8.random(in: .min ... .max) })
        }
    }

    /// The signatures of single messages.
    func expected(_ orders: [BatchOrder]) throws -> [[UInt8]?] {
        try orders.enumerated().map { number, order in try keys[number % keys.count].sign(order.message) }
    }
}

/// Published signatures of fixed keys.
struct WycheproofVectors: Decodable {
    struct Group: Decodable {
        let key: String
        let tests: [Test]
    }

    struct Test: Decodable {
        let msg: String
        let sig: String
    }

    let groups: [Group]

    static func all() throws -> WycheproofVectors {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "wycheproof.json")
        return try JSONDecoder().decode(WycheproofVectors.self, from: Data(contentsOf: file))
    }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }
}
