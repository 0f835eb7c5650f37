/// Why a private key is refused. It holds nothing of the key.
package enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a whole PEM block (RFC 7468).
    case notPEM(PEMFault)
    /// The block is something else, such as a public key.
    case otherLabel(PEMLabel)
    /// There is something other than white space after the block.
    case trailingData
    /// OpenSSL cannot read a private key from the block.
    case unreadable(OpenSSLFailure)
    /// The key's algorithm is not RSA, but for example EC.
    case notRSA(algorithm: String)
    /// The modulus is shorter than RFC 7518 section 3.3 allows.
    case tooShort(bits: Int)
    /// A probe signature did not verify with the key's own public half.
    case probeFailed
    /// The numbers of the key do not fit together.
    case inconsistent
    /// OpenSSL failed for a reason that is not the key's.
    case failure(OpenSSLFailure)
    /// The key is in hardware, which makes no signatures now, for this reason.
    case unavailable(reason: String)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String { "the private key \(problem)" }

    /// The sentence's predicate, to follow the name of a field.
    package var problem: String {
        switch self {
        case .notPEM(let fault):
            fault.problem(expecting: "PRIVATE KEY")
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
        case .inconsistent:
            "has numbers that do not fit together; expected a sound key, so create a new one"
        case .failure(let failure):
            "cannot be used: \(failure.sentence)"
        case .unavailable(let reason):
            "cannot be used: \(reason)"
        }
    }

    package var description: String { sentence }
}
