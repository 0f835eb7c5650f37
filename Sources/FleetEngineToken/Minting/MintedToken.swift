import StrictJSON

/// A signed token and its signed times.
package struct MintedToken: Hashable, Sendable {
    /// The token in JWS compact serialization (RFC 7515 section 7.1): ASCII, base64url and two dots.
    package let jwt: [UInt8]
    /// The signed `iat`, in seconds since the epoch.
    package let issuedAt: Int64
    /// The signed `exp`, in seconds since the epoch.
    package let expiresAt: Int64

    /// Only `TokenMinter` makes tokens, so the text never needs escaping in JSON.
    init(jwt: [UInt8], issuedAt: Int64, expiresAt: Int64) {
        self.jwt = jwt
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

extension JSONWriter {
    /// A member that holds a token: base64url and dots, which need no escaping.
    package mutating func member(_ name: String, _ token: MintedToken) {
        key(name)
        value(unescaped: token.jwt)
    }
}
