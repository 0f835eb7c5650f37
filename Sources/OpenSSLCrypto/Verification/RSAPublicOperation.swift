import Concurrency
import COpenSSL

/// The public operation of RSA (RFC 8017 section 5.2.2) with one key whose exponent is 65537: the one owner of its modulus,
/// prepared for Montgomery multiplication. Nothing here is secret, so times may differ.
///
/// `@unchecked Sendable`: both owned objects are only read after `init`, and each of the workspaces is used by one thread at
/// a time.
final class RSAPublicOperation: @unchecked Sendable {
    private static let exponent: UInt = 65_537
    /// The exponent is 2 to the power of this, plus one.
    private static let squarings = 16

    /// Bytes of the modulus.
    let length: Int
    private let modulus: BigNumber
    private let montgomery: OpaquePointer
    /// As many as threads have ever used at the same time.
    private let idle = Guarded<[Workspace]>([])

    /// Nil for a key with another exponent, for one of a provider other than OpenSSL's default, which alone may compute with
    /// it, and if out of memory.
    init?(_ key: OpaquePointer) {
        guard Self.isOfDefaultProvider(key),
            let exponent = try? RSAPublicParameters.integer(OSSL_PKEY_PARAM_RSA_E, of: key),
            BN_is_word(exponent.pointer, Self.exponent) == 1,
            let modulus = try? RSAPublicParameters.integer(OSSL_PKEY_PARAM_RSA_N, of: key),
            let workspace = Workspace(), let montgomery = BN_MONT_CTX_new()
        else { return nil }
        (self.modulus, self.montgomery) = (modulus, montgomery)
        length = Int(EVP_PKEY_get_size(key))
        guard BN_MONT_CTX_set(montgomery, modulus.pointer, workspace.context) == 1 else { return nil }
    }

    deinit { BN_MONT_CTX_free(montgomery) }

    private static func isOfDefaultProvider(_ key: OpaquePointer) -> Bool {
        guard let provider = EVP_PKEY_get0_provider(key), let name = OSSL_PROVIDER_get0_name(provider) else {
            return false
        }
        return String(cString: name) == "default"
    }

    /// Writes what was signed to the target, which has `length` bytes. False for a signature that is not less than the
    /// modulus, and if out of memory.
    func open(_ signature: [UInt8], into target: UnsafeMutableRawBufferPointer) -> Bool {
        // Without leading zeros, or with more of them, it would be the same number.
        guard signature.count == length, let workspace = idle.withLock({ $0.popLast() }) ?? Workspace() else {
            return false
        }
        defer { idle.withLock { $0.append(workspace) } }
        let (base, power, context) = (workspace.base, workspace.power, workspace.context)
        guard BN_bin2bn(signature, Int32(clamping: signature.count), base.pointer) != nil,
            BN_ucmp(base.pointer, modulus.pointer) < 0,
            BN_to_montgomery(power.pointer, base.pointer, montgomery, context) == 1
        else { return false }
        for _ in 0..<Self.squarings {
            guard multiply(power, by: power, context) else { return false }
        }
        // By a number that is not in Montgomery's form, so that the product is not either.
        guard multiply(power, by: base, context) else { return false }
        let bytes = target.assumingMemoryBound(to: UInt8.self).baseAddress
        return Int(BN_bn2binpad(power.pointer, bytes, Int32(clamping: target.count))) == target.count
    }

    private func multiply(_ power: BigNumber, by other: BigNumber, _ context: OpaquePointer) -> Bool {
        BN_mod_mul_montgomery(power.pointer, power.pointer, other.pointer, montgomery, context) == 1
    }
}

/// Numbers of one operation, and the one owner of OpenSSL's object (`BN_CTX`) for those in between.
///
/// `@unchecked Sendable`: one thread at a time uses it.
private final class Workspace: @unchecked Sendable {
    let base: BigNumber
    let power: BigNumber
    let context: OpaquePointer

    /// Nil if out of memory.
    init?() {
        guard let base = try? BigNumber([]), let power = try? BigNumber([]), let context = BN_CTX_new() else {
            return nil
        }
        (self.base, self.power, self.context) = (base, power, context)
    }

    deinit { BN_CTX_free(context) }
}
