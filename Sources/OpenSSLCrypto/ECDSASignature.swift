/// A signature by ECDSA, two integers r and s.
enum ECDSASignature {
    /// The signature as OpenSSL reads it (X.690 DER, RFC 3279 section 2.2.3), out of r and s with the highest byte first
    /// and the same length (RFC 7518 section 3.4), each of at most 48 bytes: then DER writes every length in one byte.
    static func der(_ signature: [UInt8]) -> [UInt8] {
        let half = signature.count / 2
        let integers = integer(signature.prefix(half)) + integer(signature.suffix(half))
        return [0x30, UInt8(integers.count)] + integers
    }

    /// The shortest form: no zeros before it, but for one where it would be negative or nothing.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        let needsZero = digits.first ?? 0x80 >= 0x80
        return [0x02, UInt8(digits.count + (needsZero ? 1 : 0))] + (needsZero ? [0] : []) + digits
    }
}
