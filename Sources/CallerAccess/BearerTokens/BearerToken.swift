import OpenSSLCrypto

/// A bearer token as a caller sends it.
package struct BearerToken: Sendable {
    /// The last bytes of a token, which are of its signature: few forged tokens end like a cached one.
    struct End: CacheKey {
        private static let length = 16

        private var words: (UInt64, UInt64) = (0, 0)
        /// Some bits of base64url's letters are set more often than others, so all of them are mixed.
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
    let place: TokenPlace
    let end: End
    /// The whole token's SHA-256, by which it is found. Calculating it is a large part of a request's cost.
    var digest: SHA256Digest { SHA256Digest(of: bytes) }

    /// The token that these bytes are.
    package init(_ bytes: [UInt8], in place: TokenPlace = .authorization) {
        (self.bytes, self.place) = (bytes, place)
        end = End(of: bytes)
    }
}

/// Where a request has a token.
package enum TokenPlace: Equatable, Sendable {
    /// After `Bearer`.
    case authorization
    /// Alone in the header of this name, in lower case.
    case header(String)
    /// In no request: a question about the token is asked.
    case anywhere
}
