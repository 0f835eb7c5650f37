internal import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256Digest {
    /// Looking the algorithm up costs as much as digesting a few hundred bytes, so it is done once.
    private static let algorithm = DigestAlgorithm(named: "SHA256")
    private static let digestBytes = 32

    /// The digest of the bytes, 32 bytes.
    public static func of(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digestBytes) { digest, count in
            count = digestBytes
            let isDone = EVP_Digest(bytes, bytes.count, digest.baseAddress, nil, algorithm.pointer, nil) == 1
            // Fails only for want of memory or of SHA-256, and no digest made up instead could be told from a true one:
            // two tokens must never pass for the same.
            precondition(isDone, "OpenSSL could not digest by SHA-256")
        }
    }
}

/// The one owner of a digest that OpenSSL has looked up.
///
/// `@unchecked Sendable`: the pointer never changes, and nobody writes to what it points to.
private final class DigestAlgorithm: @unchecked Sendable {
    /// Nil where OpenSSL has no such digest; then none is computed.
    let pointer: OpaquePointer?

    init(named name: String) {
        pointer = EVP_MD_fetch(nil, name, nil)
    }

    deinit {
        EVP_MD_free(pointer)
    }
}
