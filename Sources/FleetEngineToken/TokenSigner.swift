/// Whoever holds a service account's key and signs with it: RSASSA-PKCS1-v1_5 with SHA-256, the `RS256` of RFC 7518
/// section 3.3.
package protocol TokenSigner: Sendable {
    /// The service account's e-mail address, a token's `iss` and `sub`.
    var account: String { get }
    /// The key's id, the header's `kid`.
    var keyID: String { get }
    /// The signature over the message; throws when there is none to be had now.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8]
}

/// Why no signature was made.
package struct SigningError: Error, Hashable, Sendable {
    /// One sentence for the operator's log, without anything of a key.
    package let reason: String

    /// An error with its one sentence.
    package init(reason: String) {
        self.reason = reason
    }
}
