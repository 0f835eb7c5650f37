import COpenSSL

extension RSAPrivateKey {
    /// Whether the integers of a key with two primes fit together (RFC 8017 section 3.2); true if OpenSSL does not have them
    /// all. A signature does not show it: OpenSSL makes it by another way where one of these is wrong.
    package var isConsistent: Bool {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        return KeyMemory.holding {
            guard number(OSSL_PKEY_PARAM_RSA_FACTOR + "3") == nil,
                let n = number(OSSL_PKEY_PARAM_RSA_N), let e = number(OSSL_PKEY_PARAM_RSA_E),
                let d = number(OSSL_PKEY_PARAM_RSA_D), let p = number(OSSL_PKEY_PARAM_RSA_FACTOR + "1"),
                let q = number(OSSL_PKEY_PARAM_RSA_FACTOR + "2"), let dp = number(OSSL_PKEY_PARAM_RSA_EXPONENT + "1"),
                let dq = number(OSSL_PKEY_PARAM_RSA_EXPONENT + "2"),
                let inverse = number(OSSL_PKEY_PARAM_RSA_COEFFICIENT + "1")
            else { return true }
            guard let scratch = SecretNumbers() else { return false }
            return scratch.product(p, q, equals: n) && scratch.isInverse(inverse, of: q, modulo: p)
                && scratch.isExponent(dp, for: e, d, p) && scratch.isExponent(dq, for: e, d, q)
        }
    }

    private func number(_ name: String) -> BigNumber? { BigNumber(name, of: pointer) }
}

/// What checks of integers calculate with.
private final class SecretNumbers {
    private let context: OpaquePointer
    private let first: BigNumber
    private let second: BigNumber

    init?() {
        guard let first = try? BigNumber(), let second = try? BigNumber(), let context = BN_CTX_new() else {
            return nil
        }
        (self.context, self.first, self.second) = (context, first, second)
    }

    deinit { BN_CTX_free(context) }

    func product(_ a: BigNumber, _ b: BigNumber, equals c: BigNumber) -> Bool {
        BN_mul(first.pointer, a.pointer, b.pointer, context) == 1 && BN_cmp(first.pointer, c.pointer) == 0
    }

    func isInverse(_ a: BigNumber, of b: BigNumber, modulo prime: BigNumber) -> Bool {
        BN_mod_mul(first.pointer, a.pointer, b.pointer, prime.pointer, context) == 1 && BN_is_one(first.pointer) == 1
    }

    /// Whether it is d modulo the prime less one, and the inverse of e.
    func isExponent(_ a: BigNumber, for e: BigNumber, _ d: BigNumber, _ prime: BigNumber) -> Bool {
        BN_copy(second.pointer, prime.pointer) != nil && BN_sub_word(second.pointer, 1) == 1
            && BN_mod_mul(first.pointer, a.pointer, e.pointer, second.pointer, context) == 1
            && BN_is_one(first.pointer) == 1
            && BN_div(nil, first.pointer, d.pointer, second.pointer, context) == 1
            && BN_cmp(first.pointer, a.pointer) == 0
    }
}
