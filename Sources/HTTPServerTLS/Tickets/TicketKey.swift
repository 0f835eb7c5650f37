import COpenSSL
import OpenSSLCrypto

/// A key for session tickets (RFC 5077 section 4): the name by which tickets refer to it, and one key each for AES-256
/// and HMAC-SHA256. It never leaves the process and is overwritten when it is released.
///
/// `@unchecked Sendable`: the bytes do not change after `init`.
final class TicketKey: @unchecked Sendable {
    static let nameBytes = 16
    static let keyBytes = 32

    private let memory = SecretMemory(byteCount: nameBytes + 2 * keyBytes)

    init() throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        let start = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard RAND_bytes(start, Int32(memory.bytes.count)) == 1 else {
            throw OpenSSLErrorQueue.failure(to: "make random numbers")
        }
    }

    var name: UnsafeRawBufferPointer { part(0, Self.nameBytes) }
    var cipherKey: UnsafeRawBufferPointer { part(Self.nameBytes, Self.keyBytes) }
    var digestKey: UnsafeRawBufferPointer { part(Self.nameBytes + Self.keyBytes, Self.keyBytes) }

    private func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory.bytes[start..<start + count])
    }
}
