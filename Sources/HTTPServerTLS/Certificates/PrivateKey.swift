import COpenSSL
import OpenSSLCrypto

/// The one owner of a server's private key.
///
/// `@unchecked Sendable`: the object does not change after `init`, and OpenSSL lets threads share a key that they only
/// use (openssl-threads(7)).
final class PrivateKey: @unchecked Sendable {
    /// The algorithm by which a certificate is chosen for a client that does not support both.
    enum Algorithm: Sendable { case rsa, ecdsa }

    static let expectation = "RSA of at least 2048 bits, or ECDSA on P-256, P-384 or P-521"

    let pointer: OpaquePointer

    /// Takes ownership of the key and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The first key of a PEM text; nil, with OpenSSL's reasons in its queue, if the passphrase decrypts none.
    convenience init?(pem: [UInt8], passphrase: [UInt8]?) throws(OpenSSLFailure) {
        let key = try KeyMemory.holding { () throws(OpenSSLFailure) in try Self.read(pem, passphrase) }
        guard let key else { return nil }
        self.init(takingOwnershipOf: key)
    }

    /// A key that the caller owns. RSA signs once: OpenSSL then makes the copies of the primes that it keeps.
    private static func read(_ pem: [UInt8], _ passphrase: [UInt8]?) throws(OpenSSLFailure) -> OpaquePointer? {
        OpenSSLErrorQueue.clear()
        let bio = try MemoryBIO(pem)
        // Never prompt for a passphrase: OpenSSL's default callback would read from the terminal. Without a callback of
        // ours it takes this argument, a zero-terminated text, as the passphrase.
        let text = passphrase.map { $0 + [0] }
        let key =
            text.map { text in
                text.withUnsafeBytes {
                    PEM_read_bio_PrivateKey(bio.pointer, nil, nil, UnsafeMutableRawPointer(mutating: $0.baseAddress))
                }
            } ?? PEM_read_bio_PrivateKey(bio.pointer, nil, { _, _, _, _ in -1 }, nil)
        if let key, EVP_PKEY_is_a(key, "RSA") == 1 { KeyProbe.sign(by: key) }
        return key
    }

    /// Whether both have the same public half.
    func isSame(as other: PrivateKey) -> Bool { EVP_PKEY_eq(pointer, other.pointer) == 1 }

    /// Nil if it is neither RSA nor ECDSA.
    var algorithm: Algorithm? {
        if EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsa }
        return EVP_PKEY_is_a(pointer, "EC") == 1 ? .ecdsa : nil
    }

    /// The algorithm's name, and the key's length in bits.
    var description: String {
        let name = EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown"
        return "\(name) (\(EVP_PKEY_get_bits(pointer)) bits)"
    }

    /// Whether clients accept its type and length.
    var isStrong: Bool {
        switch algorithm {
        case .rsa: EVP_PKEY_get_bits(pointer) >= 2048
        case .ecdsa: ["prime256v1", "secp384r1", "secp521r1"].contains(curve)
        case nil: false
        }
    }

    private var curve: String? {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return nil }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}
