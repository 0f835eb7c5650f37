/// A type of public key; it decides which algorithms verify with the key.
package enum KeyType: Hashable {
    /// RSA (RFC 7518 section 6.3).
    case rsa
    /// A point of an elliptic curve.
    case point(Curve)

    static let all: [KeyType] = [.rsa] + Curve.allCases.map(KeyType.point)

    /// The algorithms that verify with such a key.
    var algorithms: [JWSAlgorithm] { JWSAlgorithm.allCases.filter { $0.keyType == self } }

    /// The value of `kty` in a JWK.
    var name: String {
        switch self {
        case .rsa: "RSA"
        case .point(.p256), .point(.p384): "EC"
        case .point(.ed25519): "OKP"
        }
    }

    /// The curve; nil for RSA, which has none.
    var curve: Curve? {
        guard case .point(let curve) = self else { return nil }
        return curve
    }
}

/// A curve by its name in `crv` of a JWK.
package enum Curve: String, CaseIterable {
    /// NIST's curve over 256 bits (RFC 7518 section 6.2.1.1).
    case p256 = "P-256"
    /// NIST's curve over 384 bits.
    case p384 = "P-384"
    /// The Edwards curve over 255 bits (RFC 8037 section 2).
    case ed25519 = "Ed25519"

    /// Bytes of a coordinate, and of each half of a signature.
    var coordinateBytes: Int {
        switch self {
        case .p256, .ed25519: 32
        case .p384: 48
        }
    }

    /// The bytes before the coordinates in a key's SubjectPublicKeyInfo. For NIST's curves: an EC key on a named curve, its
    /// point uncompressed (RFC 5480 section 2). For Ed25519: RFC 8410 section 4.
    var keyHead: [UInt8] {
        switch self {
        case .p256:
            [
                0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86,
                0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
            ]
        case .p384:
            [
                0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B, 0x81,
                0x04, 0x00, 0x22, 0x03, 0x62, 0x00, 0x04,
            ]
        case .ed25519:
            [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        }
    }
}
