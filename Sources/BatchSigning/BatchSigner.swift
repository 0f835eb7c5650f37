import FleetEngineToken
import OpenSSLCrypto

/// A signer that signs in batches by crypto_mb, and single messages as before. Every signature of a batch is verified with
/// OpenSSL before it is returned: a faulty computation by the Chinese remainder theorem would reveal the key.
package final class BatchSigner: BatchTokenSigner {
    package let library: CryptoMBLibrary
    private let single: any TokenSigner
    private let factors: RSAFactors
    private let publicKey: VerificationKey

    /// A signer with the same key as `single`, which is in this process. Nil for a key that is not RSA-2048 with two primes.
    /// Throws if the library makes a wrong signature with it: first of 1,000 random messages, then, for each further key,
    /// of one batch.
    package init?(
        _ single: any TokenSigner, _ key: RSAPrivateKey, by library: CryptoMBLibrary
    ) throws(CryptoMBError) {
        guard let factors = RSAFactors(key), let publicKey = try? key.publicKey() else { return nil }
        (self.single, self.factors, self.publicKey, self.library) = (single, factors, publicKey, library)
        if let fault = library.fault { throw fault }
        try library.testOnce { () throws(CryptoMBError) in try compare(Self.testedMessages, with: key) }
        try compare(CryptoMBLibrary.lanes, with: key)
    }

    /// The messages of the test when a library is loaded. The last batch is not full.
    private static let testedMessages = 1000 - CryptoMBLibrary.lanes / 2

    package var account: String { single.account }
    package var keyID: String { single.keyID }
    package var batchSizes: ClosedRange<Int>? { library.isUsable ? Self.libraryBatchSizes : nil }

    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] { try single.sign(message) }

    package func sign(together orders: [BatchOrder]) -> BatchedSignatures {
        let signers = orders.compactMap { $0.signer as? BatchSigner }
        // What waited when the library failed is signed alone, and so is what waited for keys of before a reload.
        guard library.isUsable, signers.count == orders.count else { return (orders.map { _ in nil }, nil) }
        let results = library.apply(
            zip(signers, orders).map { .init(factors: $0.factors, block: Self.block(of: $1.message)) })
        let verified = zip(zip(signers, orders), results).map { lane, result in
            result.flatMap { lane.0.publicKey.verify($0, of: lane.1.message, by: .rs256) ? $0 : nil }
        }
        let wrong = verified.indices.filter { verified[$0] == nil }
        guard let first = wrong.first else { return (verified, nil) }
        let fault = CryptoMBError.wrongSignature(file: library.file, key: signers[first].keyID)
        return (verified, library.fail(fault, wrong: wrong.count) ? fault.sentence : nil)
    }

    /// Throws unless the library signs random messages as OpenSSL does.
    private func compare(_ count: Int, with key: RSAPrivateKey) throws(CryptoMBError) {
        var remaining = count
        while remaining > 0 {
            let messages = (0..<min(remaining, CryptoMBLibrary.lanes)).map { _ in
                (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            }
            remaining -= messages.count
            let results = library.apply(
                messages.map { .init(factors: factors, block: Self.block(of: $0)) })
            for (message, result) in zip(messages, results) where result == nil || result != (try? key.sign(message)) {
                let fault = CryptoMBError.wrongSignature(file: library.file, key: keyID)
                _ = library.fail(fault, wrong: 1)
                throw fault
            }
        }
    }

    private static func block(of message: [UInt8]) -> [UInt8] {
        PKCS1Encoding.block(of: message, byteCount: CryptoMBLibrary.blockBytes)
    }
}
