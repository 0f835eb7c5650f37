/// The label between `-----BEGIN ` and `-----` (RFC 7468 section 2) of blocks that may be given instead of a private key.
package enum PEMLabel: String, CaseIterable, Sendable {
    /// A private key encrypted with a passphrase (RFC 7468 section 11).
    case encryptedPrivateKey = "ENCRYPTED PRIVATE KEY"
    /// An RSA private key in PKCS #1.
    case rsaPrivateKey = "RSA PRIVATE KEY"
    /// An elliptic-curve private key (RFC 5915).
    case ecPrivateKey = "EC PRIVATE KEY"
    /// A DSA private key.
    case dsaPrivateKey = "DSA PRIVATE KEY"
    /// A private key in OpenSSH's own format.
    case openSSHPrivateKey = "OPENSSH PRIVATE KEY"
    /// A public key (RFC 7468 section 13).
    case publicKey = "PUBLIC KEY"
    /// An RSA public key in PKCS #1.
    case rsaPublicKey = "RSA PUBLIC KEY"
    /// A certificate (RFC 7468 section 5).
    case certificate = "CERTIFICATE"
    /// Any other.
    case unknown = ""

    /// The label in a sentence, with what can be done about it.
    var phrase: String {
        switch self {
        case .encryptedPrivateKey: "an encrypted private key"
        case .rsaPrivateKey: "an RSA PRIVATE KEY (PKCS #1), which `openssl pkcs8 -topk8 -nocrypt` converts"
        case .ecPrivateKey, .openSSHPrivateKey: "an \(rawValue)"
        case .dsaPrivateKey: "a \(rawValue)"
        case .publicKey, .rsaPublicKey: "a public key"
        case .certificate: "a certificate"
        case .unknown: "a PEM block of another kind"
        }
    }
}
