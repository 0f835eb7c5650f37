/// A signature algorithm by its name in `alg` (RFC 7518 section 3.1, RFC 8037 section 3.1, RFC 9864 section 2.2). It has no
/// values for `none` and for algorithms with a shared secret, so that they can never be accepted by mistake.
package enum JWSAlgorithm: String, CaseIterable, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512, MGF1 with SHA-512 and a salt of 64 bytes.
    case ps512 = "PS512"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384.
    case es384 = "ES384"
    /// EdDSA, only with its curve Ed25519.
    case edDSA = "EdDSA"
    /// The same algorithm; its name says the curve.
    case ed25519 = "Ed25519"

    /// The same algorithm, by the name of RFC 8037 if it has two.
    var canonical: JWSAlgorithm { self == .ed25519 ? .edDSA : self }

    /// The type of key that it verifies with.
    var keyType: KeyType {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .point(.p256)
        case .es384: .point(.p384)
        case .edDSA, .ed25519: .point(.ed25519)
        }
    }

    /// The message's digest; nil if the algorithm takes the whole message.
    package var digest: ThreadDigest? {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512: .sha512
        case .edDSA, .ed25519: nil
        }
    }

    var isPSS: Bool {
        switch self {
        case .ps256, .ps384, .ps512: true
        default: false
        }
    }
}
