import COpenSSL

/// The one owner of an integer of OpenSSL's that is 0 or more.
final class BigNumber {
    let pointer: OpaquePointer

    /// Takes the integer and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The integer of these bytes, the highest first.
    convenience init(_ bytes: [UInt8]) throws(OpenSSLFailure) {
        guard let number = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            throw OpenSSLErrorQueue.failure(to: "allocate memory")
        }
        self.init(takingOwnershipOf: number)
    }

    /// The integer's bytes, the highest first, without zeros before them.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(pointer)) + 7) / 8)
        _ = BN_bn2bin(pointer, &bytes)
        return bytes
    }

    deinit {
        BN_free(pointer)
    }
}
