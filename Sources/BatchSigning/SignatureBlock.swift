import OpenSSLCrypto

/// The block that RSASSA-PKCS1-v1_5 with SHA-256 signs with an RSA-2048 key (RFC 8017 section 9.2).
enum SignatureBlock {
    /// The DER of DigestInfo before a digest by SHA-256 (RFC 8017 section 9.2, note 1).
    private static let digestInfo: [UInt8] = [
        0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
        0x20,
    ]
    private static let prefix: [UInt8] = {
        let padding = CryptoMBLibrary.blockBytes - 3 - digestInfo.count - SHA256Digest.length
        return [0, 1] + [UInt8](repeating: 0xFF, count: padding) + [0] + digestInfo
    }()

    static func bytes(for message: [UInt8]) -> [UInt8] { prefix + SHA256Digest(of: message).bytes }
}
