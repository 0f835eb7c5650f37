/// Why a private key is refused; nothing of the key is in it.
package enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no PEM block (RFC 7468), or it is cut off.
    case notPEM
    /// The block is something else, such as a public key; its label is one that is known.
    case otherLabel(PEMLabel)
    /// Something besides white space stands behind the block.
    case trailingData
    /// The block's content is no private key OpenSSL can read.
    case unreadable(OpenSSLFailure)
    /// The key is of another algorithm than RSA, such as EC.
    case notRSA(algorithm: String)
    /// The modulus is shorter than RFC 7518 section 3.3 allows.
    case tooShort(bits: Int)
    /// A probe signature did not verify with the key's own public half.
    case probeFailed
    /// OpenSSL failed where no key should make it fail.
    case failure(OpenSSLFailure)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String { "the private key \(problem)" }

    /// The sentence's predicate, to stand after the name of a field.
    package var problem: String {
        switch self {
        case .notPEM:
            "is not a whole PEM block; expected the lines -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----"
        case .otherLabel(let label):
            "holds \(label.phrase); expected an unencrypted PRIVATE KEY (PKCS #8)"
        case .trailingData:
            "has data after its PEM block; expected one PRIVATE KEY and nothing else"
        case .unreadable(let failure):
            "is not a private key OpenSSL can read (\(failure.reason)); expected an RSA key in PKCS #8"
        case .notRSA(let algorithm):
            "is a key of type \(algorithm); expected RSA, which RS256 signs with"
        case .tooShort(let bits):
            "is an RSA key of \(bits) bits; expected at least \(RSAPrivateKey.minBits)"
        case .probeFailed:
            "signs what its own public half does not verify; expected a sound key, so create a new one"
        case .failure(let failure):
            "cannot be used: \(failure.sentence)"
        }
    }
}

extension KeyError {
    /// The sentence.
    package var description: String { sentence }
}
