import OpenSSLCrypto
import StrictJSON

/// The SHA-256 of an API key as its file has it: all that is stored of a key.
extension SHA256Digest {
    /// Hexadecimal digits of a digest as text.
    static let digits = 2 * length

    /// The digest that lower-case hexadecimal digits are; nil if they are not.
    init?(hex: ArraySlice<UInt8>) {
        guard hex.count == Self.digits, hex.allSatisfy(Self.isDigit) else { return nil }
        self.init(
            bytes: stride(from: hex.startIndex, to: hex.endIndex, by: 2).compactMap {
                UInt8(String(decoding: hex[$0...($0 + 1)], as: UTF8.self), radix: 16)
            })
    }

    /// In lower-case hexadecimal digits.
    var text: String { HexadecimalDigit.text(of: bytes.span) }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
