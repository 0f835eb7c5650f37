internal import OpenSSLSigner

/// The SHA-256 of an API key: all that is kept of it.
struct APIKeyDigest: Sendable {
    /// Hexadecimal digits of a digest as text.
    static let digits = 64

    private let bytes: [UInt8]

    /// The digest of a key's bytes.
    init(of key: [UInt8]) {
        bytes = SHA256Digest.of(key)
    }

    /// The digest that lower-case hexadecimal digits are; nil if they are none.
    init?(hex: ArraySlice<UInt8>) {
        guard hex.count == Self.digits, hex.allSatisfy(Self.isDigit) else { return nil }
        bytes = stride(from: hex.startIndex, to: hex.endIndex, by: 2).compactMap {
            UInt8(String(decoding: hex[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }

    /// In lower-case hexadecimal digits.
    var text: String {
        bytes.reduce(into: "") { $0 += ($1 < 0x10 ? "0" : "") + String($1, radix: 16) }
    }

    /// The first bytes, by which a table is searched.
    var beginning: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Whether both are the same, in a time that does not tell how much of them is.
    func equals(_ other: APIKeyDigest) -> Bool {
        ConstantTime.areEqual(bytes, other.bytes)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
