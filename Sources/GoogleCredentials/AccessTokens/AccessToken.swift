import StrictJSON

/// A token for Google's APIs (RFC 6749 section 1.4), sent as `Authorization: Bearer` (RFC 6750).
package struct AccessToken: Sendable {
    /// Visible ASCII.
    package let value: Secret
    /// When it expires, in seconds since the epoch.
    package let expiresAt: Int64

    /// Whether both have the same text.
    func hasSameValue(as other: AccessToken) -> Bool { value.value.hasSameBytes(as: other.value.value) }
}

/// Why an access token could not be had. It holds nothing secret.
package struct AccessTokenError: Error, Hashable, Sendable {
    /// One sentence: what was wrong, with which endpoint or file, and what was expected.
    package let sentence: String
    /// Whether it may pass without the operator, such as a timeout.
    package let isTransient: Bool
    /// The status of the HTTP answer that was refused; nil if the cause is not an answer's status.
    package let status: Int?

    /// An error with this sentence.
    package init(_ sentence: String, isTransient: Bool = false, status: Int? = nil) {
        self.sentence = sentence
        self.isTransient = isTransient
        self.status = status
    }
}

/// Called exactly once with the result of one step towards an access token.
typealias TokenCompletion<Value> = @Sendable (Result<Value, AccessTokenError>) -> Void

/// A completion that goes on with a success, and passes a failure to the last completion.
func going<Value, Last>(
    to last: @escaping TokenCompletion<Last>, _ next: @escaping @Sendable (Value) -> Void
) -> TokenCompletion<Value> {
    { result in
        switch result {
        case .success(let value): next(value)
        case .failure(let error): last(.failure(error))
        }
    }
}
