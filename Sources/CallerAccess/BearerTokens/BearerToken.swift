internal import OpenSSLSigner

/// A bearer token as a caller shows it, and its SHA-256, by which it is remembered.
public struct BearerToken: Sendable {
    let bytes: [UInt8]
    let digest: SHA256Digest

    /// The token that these bytes are.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        digest = SHA256Digest(of: bytes)
    }
}
