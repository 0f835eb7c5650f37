import COpenSSL

/// The integers with which the Chinese remainder theorem signs for an RSA-2048 key of two primes (RFC 8017 section 3.2), as
/// words, the least significant first. It owns their memory, which is that of keys.
///
/// `@unchecked Sendable`: the memory does not change after `init`.
package final class RSAFactors: @unchecked Sendable {
    /// The length of the modulus in bits.
    package static let bits = 2048
    private static let integerBytes = bits / 2 / 8

    /// An integer of the key.
    package enum Integer: Int, CaseIterable, Sendable {
        case p, q, dp, dq, inverseOfQ

        fileprivate var name: String {
            switch self {
            case .p: OSSL_PKEY_PARAM_RSA_FACTOR + "1"
            case .q: OSSL_PKEY_PARAM_RSA_FACTOR + "2"
            case .dp: OSSL_PKEY_PARAM_RSA_EXPONENT + "1"
            case .dq: OSSL_PKEY_PARAM_RSA_EXPONENT + "2"
            case .inverseOfQ: OSSL_PKEY_PARAM_RSA_COEFFICIENT + "1"
            }
        }
    }

    private let memory = SecretMemory(byteCount: Integer.allCases.count * integerBytes, isKey: true)

    /// Nil unless the key has 2048 bits and two primes of 1024 bits.
    package init?(_ key: RSAPrivateKey) {
        guard key.bits == Self.bits else { return nil }
        OpenSSLErrorQueue.clear()
        let isCopied = KeyMemory.holding { Integer.allCases.allSatisfy { copy($0, of: key.pointer) } }
        guard isCopied else {
            OpenSSLErrorQueue.clear()
            return nil
        }
        guard primesAreWhole else { return nil }
    }

    /// The words of an integer, as long as this object exists.
    package func words(of integer: Integer) -> UnsafePointer<UInt64>? {
        let start = memory.bytes.baseAddress?.advanced(by: integer.rawValue * Self.integerBytes)
        return start.map { UnsafePointer($0.assumingMemoryBound(to: UInt64.self)) }
    }

    private func copy(_ integer: Integer, of key: OpaquePointer) -> Bool {
        guard let number = BigNumber(integer.name, of: key) else { return false }
        let target = memory.bytes.baseAddress?.advanced(by: integer.rawValue * Self.integerBytes)
        let bytes = target?.assumingMemoryBound(to: UInt8.self)
        return BN_bn2lebinpad(number.pointer, bytes, Int32(Self.integerBytes)) == Self.integerBytes
    }

    /// Whether both primes have their highest bit; a key of three primes has shorter ones.
    private var primesAreWhole: Bool {
        [Integer.p, .q].allSatisfy { memory.bytes[($0.rawValue + 1) * Self.integerBytes - 1] >= 0x80 }
    }
}
