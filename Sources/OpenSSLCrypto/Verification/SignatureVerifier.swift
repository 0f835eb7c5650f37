import Locking

/// Verifies messages by one algorithm and one key.
protocol SignatureVerifier: Sendable {
    /// Whether the signature is the message's.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool
}

/// Verifies where the algorithm signs a message's digest. A context is set up once, which costs a fifth of a verification
/// by RS256, and then used again and again: there are as many as threads ever verified at once.
final class DigestVerifier: SignatureVerifier {
    private let digest: ThreadDigest
    /// What each context is made of.
    private let prepared: SignatureContext
    private let idle = Guarded<[SignatureContext]>([])

    /// A verifier by the key, which is of the algorithm's type.
    init(_ algorithm: JWSAlgorithm, _ digest: ThreadDigest, by key: OpaquePointer) throws(OpenSSLFailure) {
        self.digest = digest
        prepared = try SignatureContext(algorithm, digest, by: key)
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = idle.withLock({ $0.popLast() }) ?? prepared.duplicate() else { return false }
        let isRight = withUnsafeTemporaryAllocation(byteCount: digest.length, alignment: 1) { target in
            message.withUnsafeBytes { digest.digest($0, into: target) }
                && context.verify(signature, of: UnsafeRawBufferPointer(target))
        }
        // A signature that is wrong leaves its reason in the queue, where it would blame the next call.
        if !isRight { OpenSSLErrorQueue.clear() }
        idle.withLock { $0.append(context) }
        return isRight
    }
}

/// Verifies where the algorithm takes the message whole: in a copy of a context, since each verifies one message.
///
/// `@unchecked Sendable`: the context is only ever copied, which reads it.
final class WholeMessageVerifier: SignatureVerifier, @unchecked Sendable {
    private let prepared: DigestContext

    /// A verifier by the key, which is of such an algorithm's type.
    init(by key: OpaquePointer) throws(OpenSSLFailure) {
        prepared = try DigestContext(verifyingBy: key)
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        (try? prepared.copy())?.verify(signature, of: message) ?? false
    }
}
