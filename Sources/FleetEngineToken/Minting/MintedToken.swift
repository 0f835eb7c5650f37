import StrictJSON

/// A signed token and its signed times.
package struct MintedToken: Hashable, Sendable {
    /// The token in JWS compact serialization (RFC 7515 section 7.1): ASCII, base64url and two dots.
    package let jwt: [UInt8]
    /// The signed times.
    package let times: SignedTimes

    /// Only `TokenMinter` makes tokens, so the text never needs escaping in JSON.
    init(jwt: [UInt8], issuedAt: Int64, expiresAt: Int64) {
        self.jwt = jwt
        times = SignedTimes(issuedAt: issuedAt, expiresAt: expiresAt)
    }

    /// The signed `iat`, in seconds since the epoch.
    package var issuedAt: Int64 { times.issuedAt }
    /// The signed `exp`, in seconds since the epoch.
    package var expiresAt: Int64 { times.expiresAt }
}

/// A token's signed times, in seconds since the epoch.
package struct SignedTimes: Hashable, Sendable {
    /// The signed `iat`.
    package let issuedAt: Int64
    /// The signed `exp`.
    package let expiresAt: Int64

    package init(issuedAt: Int64, expiresAt: Int64) {
        (self.issuedAt, self.expiresAt) = (issuedAt, expiresAt)
    }
}

extension JSONWriter {
    /// A member that holds a token's text: base64url and dots, which need no escaping.
    package mutating func member(_ name: String, jwt: ArraySlice<UInt8>) {
        key(name)
        value(unescaped: jwt)
    }
}
