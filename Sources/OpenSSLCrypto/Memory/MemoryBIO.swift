import COpenSSL

/// The one owner of a BIO in memory, whose content OpenSSL overwrites when it is freed.
package final class MemoryBIO {
    package let pointer: OpaquePointer

    /// A BIO that holds a copy of the bytes, to read from and to write to.
    package init(_ bytes: [UInt8] = []) throws(OpenSSLFailure) {
        guard let bio = BIO_new(BIO_s_mem()) else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        pointer = bio
        guard bytes.isEmpty || BIO_write(bio, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw OpenSSLErrorQueue.failure(to: "allocate memory")
        }
    }

    /// Takes out everything that was written.
    package func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(pointer))
        let count = BIO_read(pointer, &bytes, Int32(clamping: bytes.count))
        return Array(bytes.prefix(max(0, Int(count))))
    }

    deinit {
        BIO_free(pointer)
    }
}
