import CLinux
import COpenSSL

/// The one owner of memory for secrets: aligned for vectors, zero at first, and overwritten when it is freed.
///
/// `@unchecked Sendable`: it only hands out its memory, and its owner lets one thread use that at a time.
package final class SecretMemory: @unchecked Sendable {
    private static let alignment = 64

    package let bytes: UnsafeMutableRawBufferPointer
    private let allocation: UnsafeMutableRawPointer?

    /// Memory for this number of bytes, of a key or not.
    package init(byteCount: Int, isKey: Bool = false) {
        guard isKey, let allocation = KeyMemory.holding({ clinux_key_malloc(byteCount + Self.alignment, nil, 0) })
        else {
            allocation = nil
            bytes = .allocate(byteCount: byteCount, alignment: Self.alignment)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        self.allocation = allocation
        let start = allocation.alignedUp(toMultipleOf: Self.alignment)
        bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Overwrites it.
    package func wipe() { OPENSSL_cleanse(bytes.baseAddress, bytes.count) }

    deinit {
        wipe()
        if let allocation { clinux_key_free(allocation, nil, 0) } else { bytes.deallocate() }
    }
}
