/// How long a request may take, and how large its answer may be: constants of this program, or settings whose range is within
/// this one.
package struct HTTPClientLimits: Hashable, Sendable {
    /// How long connecting may take, including the name lookup and the TLS handshake.
    package let connectTimeout: Duration
    /// How long everything may take, from `send` to the last byte, including waiting, connecting and redirects.
    package let totalTimeout: Duration
    /// How many bytes of body an answer may have.
    package let maxBodyBytes: Int
    /// How many redirects in a row are followed; one more is an error.
    package let maxRedirects: Int
    /// Whether only redirects within the request's origin are followed (RFC 6454).
    package let staysAtOrigin: Bool

    package init(
        connectTimeout: Duration, totalTimeout: Duration, maxBodyBytes: Int, maxRedirects: Int = 0,
        staysAtOrigin: Bool = false
    ) {
        precondition(connectTimeout >= .milliseconds(1) && connectTimeout...(.seconds(600)) ~= totalTimeout)
        precondition(0...64 << 20 ~= maxBodyBytes && 0...10 ~= maxRedirects)
        (self.connectTimeout, self.totalTimeout, self.maxBodyBytes) = (connectTimeout, totalTimeout, maxBodyBytes)
        (self.maxRedirects, self.staysAtOrigin) = (maxRedirects, staysAtOrigin)
    }
}
