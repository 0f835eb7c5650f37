import OpenSSLCrypto

/// One thing that is wrong with a file of API keys, and where; nothing of its content is in it.
package struct APIKeyFileError: Error, Hashable, Sendable {
    /// What is wrong with a line.
    package enum Problem: Error, Hashable, Sendable {
        /// The first field is not a name.
        case malformedName
        /// The name is followed by nothing.
        case missingDigest
        /// The second field is not a digest.
        case malformedDigest
        /// The line contains a key instead of its digest.
        case keyItself
        /// The expiry of the key is not a date.
        case malformedExpiry
        /// The rules of the key are not names.
        case malformedRules
        /// A field is unknown or repeated.
        case foreignField
        /// The name is that of another line.
        case repeatedName(line: Int)
        /// The digest is that of another line.
        case repeatedDigest(line: Int)
    }

    /// The line, counted from 1.
    package let line: Int
    /// What is wrong with it.
    package let problem: Problem

    /// One sentence: where, what was wrong and what was expected.
    package var sentence: String { "line \(line): \(problem.sentence)" }
}

extension APIKeyFileError.Problem {
    /// What was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .malformedName:
            "the key's name is malformed; expected 1 to \(ConfiguredName.maxBytes) characters of A-Z a-z 0-9 . _ -, and "
                + "not tpk_ before them"
        case .missingDigest: "the key has no digest; expected sha256: and \(SHA256Digest.digits) hexadecimal digits"
        case .malformedDigest:
            "the key's digest is malformed; expected sha256: and \(SHA256Digest.digits) lower-case hexadecimal digits"
        case .keyItself: "the line contains an API key; expected only its SHA-256 (replace this key by a new one)"
        case .malformedExpiry:
            "the key's expiry is malformed; expected a date from 1970 to 9999 such as expires=2027-01-31T00:00:00Z"
        case .malformedRules:
            "the key's rules are malformed; expected names between commas such as rules=dispatch,support"
        case .foreignField:
            "a field is unknown or repeated; expected NAME sha256:DIGITS [expires=DATE] [rules=NAME,NAME]"
        case .repeatedName(let line): "the key has the name of line \(line); expected each name once"
        case .repeatedDigest(let line): "the key has the digest of line \(line); expected each key once"
        }
    }
}

/// All that is wrong with a file of API keys, in the order of its lines.
package struct APIKeyFileErrors: Error, Hashable, Sendable {
    /// The errors, never none.
    package let errors: [APIKeyFileError]
}
