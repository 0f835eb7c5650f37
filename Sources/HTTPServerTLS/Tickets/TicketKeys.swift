import COpenSSL
import Concurrency
import HTTPServer
import OpenSSLCrypto

/// The keys of session tickets, shared by all loops and kept when certificates are reloaded, so that clients can resume
/// on any loop.
///
/// `@unchecked Sendable`: the cipher never changes, and a lock protects the keys.
final class TicketKeys: @unchecked Sendable {
    /// The return values of OpenSSL's ticket callback.
    private enum Verdict {
        static let error: Int32 = -1
        static let unknown: Int32 = 0
        static let good: Int32 = 1
        /// The client gets a new ticket.
        static let renewed: Int32 = 2
    }

    private let ring: Guarded<TicketKeyRing<TicketKey>>
    private let now: @Sendable () -> UInt64
    private let cipher: OpaquePointer

    /// Starts with a new key; `now` is the monotonic clock in nanoseconds.
    init(now: @escaping @Sendable () -> UInt64 = { ServerTime.now().monotonic }) throws(OpenSSLFailure) {
        ring = Guarded(TicketKeyRing(try TicketKey(), at: now()))
        self.now = now
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil) else {
            throw OpenSSLErrorQueue.failure(to: "set up AES")
        }
        self.cipher = cipher
    }

    deinit {
        EVP_CIPHER_free(cipher)
    }

    /// Makes a context encrypt and decrypt its tickets with these keys, which must outlive it.
    func serve(_ context: OpaquePointer) {
        SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context) { connection, name, vector, cipher, mac, seals in
            guard let name, let vector, let data = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), 0) else {
                return Verdict.error
            }
            let keys = Unmanaged<TicketKeys>.fromOpaque(data).takeUnretainedValue()
            guard seals != 1 else { return keys.seal(name, vector, cipher, mac) }
            // In TLS 1.3 a ticket is used once, so that no one can link connections (RFC 8446 appendix C.4).
            let isSpent = SSL_version(connection) == TLS1_3_VERSION
            return keys.open(UnsafeRawPointer(name), vector, cipher, mac, isSpent: isSpent)
        }
    }

    private func keys() -> (current: TicketKey, previous: TicketKey?) {
        let now = now()
        return ring.withLock { ring in
            ring.turn(to: now) { try? TicketKey() }
            return (ring.current, ring.previous)
        }
    }

    private func seal(
        _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>, _ context: OpaquePointer?,
        _ mac: OpaquePointer?
    ) -> Int32 {
        let key = keys().current
        UnsafeMutableRawPointer(name).copyMemory(from: key.name)
        guard RAND_bytes(vector, EVP_CIPHER_get_iv_length(cipher)) == 1,
            EVP_EncryptInit_ex2(context, cipher, key.cipherKey.bytes, vector, nil) == 1,
            EVP_MAC_init_sha256(mac, key.digestKey.bytes, key.digestKey.count) == 1
        else { return Verdict.error }
        return Verdict.good
    }

    private func open(
        _ name: UnsafeRawPointer, _ vector: UnsafeMutablePointer<UInt8>, _ context: OpaquePointer?,
        _ mac: OpaquePointer?, isSpent: Bool
    ) -> Int32 {
        let wanted = UnsafeRawBufferPointer(start: name, count: TicketKey.nameBytes)
        let (current, previous) = keys()
        let isCurrent = wanted.elementsEqual(current.name)
        guard let key = isCurrent ? current : previous, wanted.elementsEqual(key.name) else { return Verdict.unknown }
        guard EVP_DecryptInit_ex2(context, cipher, key.cipherKey.bytes, vector, nil) == 1,
            EVP_MAC_init_sha256(mac, key.digestKey.bytes, key.digestKey.count) == 1
        else { return Verdict.error }
        return isCurrent && !isSpent ? Verdict.good : Verdict.renewed
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from source: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(start: self, count: source.count).copyMemory(from: source)
    }
}

/// The rotating keys of session tickets: one encrypts, and the previous one still decrypts. A client that resumes with
/// the previous key gets a new ticket, so a stolen key is soon useless.
struct TicketKeyRing<Key: Sendable>: Sendable {
    /// Nanoseconds for which a key encrypts, and then for which it only decrypts.
    static var period: UInt64 { 12 * 3600 * 1_000_000_000 }

    /// The key that encrypts.
    private(set) var current: Key
    /// The key that only decrypts.
    private(set) var previous: Key?
    private var madeAt: UInt64

    init(_ key: Key, at now: UInt64) {
        (current, madeAt) = (key, now)
    }

    /// Replaces a key whose period has ended; if no new key can be made, the current one stays.
    mutating func turn(to now: UInt64, making make: () -> Key?) {
        guard now >= madeAt + Self.period, let key = make() else { return }
        previous = now < madeAt + 2 * Self.period ? current : nil
        (current, madeAt) = (key, now)
    }
}

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
