import Foundation
import Testing

/// A key that the `openssl` command made and signs with.
package struct OpenSSLKey: Sendable {
    /// A type of key that can verify.
    package enum Kind: String, CaseIterable, Sendable {
        case rsa, p256, p384, ed25519

        /// The type for an algorithm, such as `RS256`.
        package init(for algorithm: String) {
            switch algorithm {
            case "ES256": self = .p256
            case "ES384": self = .p384
            case "EdDSA", "Ed25519": self = .ed25519
            default: self = .rsa
            }
        }

        package var coordinateBytes: Int { self == .p384 ? 48 : 32 }

        fileprivate func newKey() throws -> String {
            switch self {
            case .rsa: try OpenSSLCommand.newKey("RSA", option: "rsa_keygen_bits:2048")
            case .p256: try OpenSSLCommand.newKey("EC", option: "ec_paramgen_curve:P-256")
            case .p384: try OpenSSLCommand.newKey("EC", option: "ec_paramgen_curve:P-384")
            case .ed25519: try OpenSSLCommand.newKey("ED25519")
            }
        }
    }

    package let kind: Kind
    /// The members of its public half.
    package let jwk: [String: String]
    private let pem: String

    private static let made = Result {
        try Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, try OpenSSLKey($0)) })
    }

    /// The process's key of this kind, for tests that need no second one.
    package static func shared(_ kind: Kind) throws -> OpenSSLKey { try #require(made.get()[kind]) }

    /// Makes another key.
    package init(_ kind: Kind) throws {
        self.kind = kind
        pem = try kind.newKey()
        jwk = try Self.jwk(kind, pem)
    }

    /// The JWK set of its public half.
    package func set(keyID: String) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: ["keys": [jwk.merging(["kid": keyID]) { $1 }]]))
    }

    /// A signature in the form of JWS, by an algorithm such as `RS256`.
    package func sign(
        _ message: [UInt8], by algorithm: String, salt: String = "digest", extra: [String] = []
    ) throws -> [UInt8] {
        let digest = "-sha\(algorithm.suffix(3))"
        switch algorithm.prefix(2) {
        case "Ed": return try run(["pkeyutl", "-sign", "-rawin", "-inkey", "KEY", "-in"], message)
        case "ES": return try raw(run(["dgst", digest, "-sign", "KEY"], message))
        case "RS": return try run(["dgst", digest, "-sign", "KEY"], message)
        default:
            let options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(salt)"] + extra
            return try run(["dgst", digest, "-sign", "KEY"] + options, message)
        }
    }

    /// A signature by ECDSA in DER.
    package func signDER(_ message: [UInt8], digest: String) throws -> [UInt8] {
        try run(["dgst", digest, "-sign", "KEY"], message)
    }

    private func run(_ arguments: [String], _ message: [UInt8]) throws -> [UInt8] {
        try OpenSSLCommand.inFolder { folder in
            try pem.write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            try Data(message).write(to: URL(fileURLWithPath: "\(folder)/message"))
            let output = ["-out", "\(folder)/signature"]
            let command = arguments.map { $0 == "KEY" ? "\(folder)/key" : $0 }
            // `dgst` takes the file as its last argument, `pkeyutl` after `-in`.
            let isInput = command.last == "-in"
            _ = try OpenSSLCommand.run(
                arguments: isInput ? command + ["\(folder)/message"] + output : command + output + ["\(folder)/message"]
            )
            return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/signature")))
        }
    }

    /// The two integers of a DER signature, each padded to the size of a coordinate.
    private func raw(_ der: [UInt8]) throws -> [UInt8] {
        var rest = der.dropFirst(2)
        var halves: [UInt8] = []
        for _ in 0..<2 {
            let count = Int(try #require(rest.dropFirst().first))
            let digits = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            halves += [UInt8](repeating: 0, count: kind.coordinateBytes - digits.count) + digits
            rest = rest.dropFirst(2 + count)
        }
        return halves
    }

    private static func jwk(_ kind: Kind, _ pem: String) throws -> [String: String] {
        try OpenSSLCommand.inFolder { folder in
            try pem.write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            if kind == .rsa {
                let output = try OpenSSLCommand.run("rsa", "-in", "\(folder)/key", "-modulus", "-noout")
                let hex = try #require(output.split(separator: "=").last).filter(\.isHexDigit)
                return ["kty": "RSA", "n": base64URL(bytes(hex: hex)), "e": "AQAB"]
            }
            try OpenSSLCommand.run(
                "pkey", "-in", "\(folder)/key", "-pubout", "-outform", "DER", "-out", "\(folder)/public")
            // The point is at the end.
            let der = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/public")))
            let count = kind.coordinateBytes
            guard kind != .ed25519 else {
                return ["kty": "OKP", "crv": "Ed25519", "x": base64URL(der.suffix(count))]
            }
            return [
                "kty": "EC", "crv": kind == .p256 ? "P-256" : "P-384",
                "x": base64URL(der.suffix(2 * count).prefix(count)), "y": base64URL(der.suffix(count)),
            ]
        }
    }
}

package func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

package func bytes(hex: some StringProtocol) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
