import FleetEngineToken

/// A service account's e-mail address and what is made of it; valid once it exists.
struct ServiceAccountName: Hashable, Sendable {
    /// The longest address (RFC 5321 section 4.5.3.1).
    private static let maxBytes = 254
    private static let resourcePrefix = "projects/-/serviceAccounts/"

    /// The address. It needs no encoding in a URL's path (RFC 3986 section 3.3) and no quoting in a shell.
    let email: String

    /// Throws unless the text is NAME@DOMAIN in letters, digits, and `.`, `_`, `-` or `+`. A resource name, as
    /// delegates may be written, is accepted too.
    init(_ text: String) throws(RemoteSigningError) {
        let email = text.hasPrefix(Self.resourcePrefix) ? text.dropFirst(Self.resourcePrefix.count) : text[...]
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, email.utf8.count <= Self.maxBytes,
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") && $0.utf8.allSatisfy(Self.isAllowed) })
        else {
            throw RemoteSigningError(
                reason: "the account \(ReceivedText.quoted(text)) is not a service account's e-mail address; "
                    + "expected NAME@PROJECT.iam.gserviceaccount.com", retryAfter: nil)
        }
        self.email = String(email)
    }

    /// The account's resource name with the wildcard that IAM Credentials requires for the project.
    var resource: String { Self.resourcePrefix + email }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-+".utf8.contains(byte)
        }
    }
}
