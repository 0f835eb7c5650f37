/// Why a public key is refused.
package enum PublicKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a whole PEM block (RFC 7468).
    case notPEM(PEMFault)
    /// The block is neither a public key nor a certificate.
    case otherLabel
    /// There is something other than white space after the block.
    case trailingData
    /// OpenSSL cannot read the key.
    case unreadable(OpenSSLFailure)
    /// The key's algorithm is not RSA, but for example EC.
    case notRSA(algorithm: String)
    /// The modulus is shorter than RFC 7518 section 3.3 allows, or longer than OpenSSL accepts.
    case unfitLength(bits: Int)
    /// The modulus is even: no private key belongs to it that only its owner knows, since 2 is a factor.
    case evenModulus
    /// The exponent is 1, even, or longer than 64 bits.
    case unfitExponent
    /// A coordinate does not have the curve's length.
    case unfitCoordinate(bytes: Int, expected: Int)
    /// The coordinates are not those of a point on the curve.
    case notOnCurve(String)
    /// The point of an Ed25519 key has a small order, so anyone can sign for it.
    case weakPoint

    /// One sentence: what was wrong and what was expected.
    package var sentence: String { "the public key \(problem)" }

    /// The sentence's predicate.
    package var problem: String {
        switch self {
        case .notPEM(let fault):
            fault.problem(expecting: "PUBLIC KEY")
        case .otherLabel:
            "is a PEM block of another kind; expected PUBLIC KEY or CERTIFICATE"
        case .trailingData:
            "has data after its PEM block; expected one block and nothing else"
        case .unreadable(let failure):
            "cannot be read: \(failure.sentence); expected a sound key"
        case .notRSA(let algorithm):
            "is a key of type \(algorithm); expected RSA, which verifies RS256"
        case .unfitLength(let bits):
            "has \(bits) bits; expected \(RSAPrivateKey.minBits) to \(VerificationKey.maxBits)"
        case .evenModulus:
            "has an even modulus; expected the product of two odd primes"
        case .unfitExponent:
            "has an exponent that is 1, even or over 64 bits; expected an odd one, such as 65537"
        case .unfitCoordinate(let bytes, let expected):
            "has a coordinate of \(bytes) bytes; expected \(expected)"
        case .notOnCurve(let curve):
            "is not a point of \(curve); expected the coordinates of one"
        case .weakPoint:
            "is a point of small order, for which anyone can sign; expected one that was made from a private key"
        }
    }

    package var description: String { sentence }
}
