import OpenSSLCrypto

/// A bearer token as a caller shows it.
package struct BearerToken: Sendable {
    /// The last bytes of a token, which are of its signature: few tokens that are made up end as one that is remembered.
    struct End: RememberedKey {
        private static let length = 16

        private var words: (UInt64, UInt64) = (0, 0)
        /// Its letters are of base64url, of which some bits are more often set than others, so all of them are mixed.
        var beginning: UInt64 { ((words.0 ^ words.1) &* 0x9E37_79B9_7F4A_7C15) >> 32 }

        fileprivate init(of token: [UInt8]) {
            withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: token.suffix(Self.length)) }
        }

        static func == (one: End, other: End) -> Bool { one.words == other.words }

        func hash(into hasher: inout Hasher) {
            hasher.combine(words.0)
            hasher.combine(words.1)
        }
    }

    let bytes: [UInt8]
    let end: End
    /// The whole token's SHA-256, by which it is known. To digest takes as long as much else about a request.
    var digest: SHA256Digest { SHA256Digest(of: bytes) }

    /// The token that these bytes are.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = End(of: bytes)
    }
}
