import COpenSSL

/// The one owner of OpenSSL's object (`BIGNUM`) for an integer that is 0 or more, overwritten when it is freed, since it may
/// be a part of a private key.
final class BigNumber {
    let pointer: OpaquePointer

    private init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// An integer of a key, by OpenSSL's name for it; nil, with OpenSSL's reason in its queue, if the key has none.
    convenience init?(_ name: String, of key: OpaquePointer) {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { return nil }
        self.init(takingOwnershipOf: number)
    }

    /// The integer of these bytes, the most significant first.
    convenience init(_ bytes: [UInt8] = []) throws(OpenSSLFailure) {
        guard let number = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            throw OpenSSLErrorQueue.failure(to: "allocate memory")
        }
        self.init(takingOwnershipOf: number)
    }

    /// The integer's bytes, the most significant first, without leading zeros.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(pointer)) + 7) / 8)
        _ = BN_bn2bin(pointer, &bytes)
        return bytes
    }

    deinit {
        BN_clear_free(pointer)
    }
}
