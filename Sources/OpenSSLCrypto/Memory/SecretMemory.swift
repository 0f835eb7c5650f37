import COpenSSL

/// The one owner of memory for secrets: aligned for vectors, zero at first, and overwritten when it is freed.
package final class SecretMemory {
    package let bytes: UnsafeMutableRawBufferPointer

    /// Memory for this number of bytes.
    package init(byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }
}
