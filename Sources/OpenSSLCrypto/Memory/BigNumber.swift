import COpenSSL

/// The one owner of OpenSSL's object (`BIGNUM`) for an integer that is 0 or more.
final class BigNumber {
    let pointer: OpaquePointer

    /// Takes the integer and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The integer of these bytes, the most significant first.
    convenience init(_ bytes: [UInt8]) throws(OpenSSLFailure) {
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
        BN_free(pointer)
    }
}
