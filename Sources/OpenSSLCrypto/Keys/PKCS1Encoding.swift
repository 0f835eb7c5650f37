/// How RSASSA-PKCS1-v1_5 with SHA-256 encodes what it signs (EMSA-PKCS1-v1_5, RFC 8017 section 9.2).
package enum PKCS1Encoding {
    /// The ASN.1 of `DigestInfo` before the digest (note 1).
    private static let prefix: [UInt8] = [
        0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
        0x20,
    ]

    /// The message's `DigestInfo`.
    package static func digestInfo(of message: [UInt8]) -> [UInt8] { prefix + SHA256Digest(of: message).bytes }

    /// The whole encoded message of so many bytes.
    package static func block(of message: [UInt8], byteCount: Int) -> [UInt8] {
        let information = digestInfo(of: message)
        return [0, 1] + [UInt8](repeating: 0xFF, count: byteCount - 3 - information.count) + [0] + information
    }
}
