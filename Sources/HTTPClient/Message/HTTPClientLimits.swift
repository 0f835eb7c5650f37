/// How long a request may take, and how large its answer may be; valid once it exists.
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

    /// Throws for the first limit out of range.
    package init(
        connectTimeout: Duration, totalTimeout: Duration, maxBodyBytes: Int, maxRedirects: Int = 0,
        staysAtOrigin: Bool = false
    ) throws(HTTPClientLimitError) {
        let longest = Duration.seconds(600)
        let connectRange = Duration.milliseconds(1)...longest
        try HTTPClientLimitError.check("the time to connect", connectTimeout, in: connectRange)
        try HTTPClientLimitError.check("the time for an answer", totalTimeout, in: connectTimeout...longest)
        try HTTPClientLimitError.check("the largest body", maxBodyBytes, in: 0...67_108_864)
        try HTTPClientLimitError.check("the number of redirects", maxRedirects, in: 0...10)
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.maxBodyBytes = maxBodyBytes
        (self.maxRedirects, self.staysAtOrigin) = (maxRedirects, staysAtOrigin)
    }
}

/// A limit out of range.
package struct HTTPClientLimitError: Error, Hashable, Sendable {
    /// One sentence: what was wrong and what was expected.
    package let sentence: String

    static func check<Value: Comparable & Sendable>(
        _ name: String, _ value: Value, in range: ClosedRange<Value>
    ) throws(HTTPClientLimitError) {
        guard !range.contains(value) else { return }
        throw HTTPClientLimitError(
            sentence: "\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }
}
