import CLinux
import Concurrency
import COpenSSL
import Glibc

/// Where this process has its private keys: in pages that are locked (mlock(2)), so that they are never written to swap
/// space, lie between guard pages, and are left out of core dumps.
///
/// OpenSSL's own secure heap (OPENSSL_secure_malloc(3)) would hold the integers of a key, but not the copies of its primes
/// for Montgomery multiplication. And it would hold the key share of each handshake, so that many handshakes could fill it.
package enum KeyMemory {
    /// Has OpenSSL allocate for keys there. Call it before anything else of OpenSSL; without it, keys are in ordinary memory.
    package static func prepare() {
        guard CRYPTO_set_mem_functions(clinux_key_malloc, clinux_key_realloc, clinux_key_free) == 1 else { return }
        clinux_reserve_keys()
    }

    /// OpenSSL makes 300 kB of tables when it first reads a key and signs. This has it make them in ordinary memory, with a
    /// key that is too short to protect anything, but quick to make.
    private static let warmUp: Void = {
        defer { OpenSSLErrorQueue.clear() }
        guard let key = try? RSAKeyContext().newKey(bits: 512) else { return }
        defer { EVP_PKEY_free(key) }
        if let bio = try? MemoryBIO(), PEM_write_bio_PrivateKey(bio.pointer, key, nil, nil, 0, nil, nil) == 1 {
            EVP_PKEY_free(PEM_read_bio_PrivateKey(bio.pointer, nil, nil, nil))
        }
        KeyProbe.sign(by: key)
    }()

    /// What `body` has OpenSSL allocate is for a key. It must be short: these allocations share a lock.
    package static func holding<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        warmUp
        clinux_enter_keys()
        defer { clinux_leave_keys() }
        return try body()
    }

    /// Overwrites what `body` frees, such as the text of a key, once it has returned.
    package static func wiping<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        clinux_begin_wiping()
        defer { clinux_end_wiping() }
        return try body()
    }

    /// Why keys are not, or not all, in locked memory. Nil if they are, and if it was reported in the same words.
    package static func takeWarning() -> String? {
        reported.withLock { reported in
            let warning = warning
            defer { reported = warning }
            return warning == reported ? nil : warning
        }
    }

    private static let reported = Guarded<String?>(nil)

    private static var warning: String? {
        let memory = clinux_key_memory()
        if memory.is_exhausted { return "some private keys are not in locked memory: the memory for them is full" }
        guard memory.lock_error != 0 else { return nil }
        let limit = memory.lock_limit >> 10
        let unlocked = (memory.bytes - memory.locked) >> 10
        return "\(unlocked) of \(memory.bytes >> 10) KiB with private keys cannot be locked and may be written to swap "
            + "space: \(String(cString: strerror(memory.lock_error))), with a limit of locked memory of \(limit) KiB; expected "
            + "\(memory.bytes >> 10) KiB or more (ulimit -l, LimitMEMLOCK=)"
    }
}

/// A signature that is thrown away: with the first one, OpenSSL makes what it keeps of a key for all later ones.
package enum KeyProbe {
    package static func sign(by key: OpaquePointer) {
        guard let context = try? DigestContext() else { return }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: max(1, count))
        if EVP_DigestSignInit(context.pointer, nil, EVP_sha256(), nil, key) == 1 {
            _ = EVP_DigestSign(context.pointer, &signature, &count, [0], 1)
        }
    }
}
