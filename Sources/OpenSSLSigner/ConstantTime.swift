internal import COpenSSL

/// Comparison of secrets.
public enum ConstantTime {
    /// Whether both have the same bytes; the time tells nothing of them but whether their lengths differ.
    public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
