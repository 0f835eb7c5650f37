/// Verifies messages with one algorithm and one key.
protocol SignatureVerifier: Sendable {
    /// Whether the signature is valid for the message.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool
}

/// For algorithms that sign a message's digest.
final class DigestVerifier: SignatureVerifier {
    private let digest: ThreadDigest
    private let contexts: SignatureContexts

    /// A verifier with a key, which must be of the algorithm's type.
    init(_ algorithm: JWSAlgorithm, _ digest: ThreadDigest, by key: OpaquePointer) throws(OpenSSLFailure) {
        self.digest = digest
        contexts = SignatureContexts(try SignatureContext(verifying: digest, by: key, isPSS: algorithm.isPSS))
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let isRight = withUnsafeTemporaryAllocation(byteCount: digest.length, alignment: 1) { target in
            guard message.withUnsafeBytes({ digest.digest($0, into: target) }) else { return false }
            return contexts.use { $0.verify(signature, of: UnsafeRawBufferPointer(target)) } ?? false
        }
        // A wrong signature leaves its reason in the queue, where it would be reported for the next call.
        if !isRight { OpenSSLErrorQueue.clear() }
        return isRight
    }
}

/// For algorithms that take the whole message. Each message needs its own copy of the context.
///
/// `@unchecked Sendable`: the context is only copied, which only reads it.
final class WholeMessageVerifier: SignatureVerifier, @unchecked Sendable {
    private let prepared: DigestContext

    /// A verifier with a key, which must be of such an algorithm's type.
    init(by key: OpaquePointer) throws(OpenSSLFailure) {
        prepared = try DigestContext(verifyingBy: key)
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        (try? prepared.copy())?.verify(signature, of: message) ?? false
    }
}
