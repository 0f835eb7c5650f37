import TestSupport
import Foundation
import OpenSSLCrypto
import StrictJSON

/// A key that the `openssl` command makes and signs with: the independent party of these tests.
struct OpenSSLKey {
    private static let keyArguments: [JWSAlgorithm: [String]] = [
        .es256: ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], .es384: ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
        .edDSA: ["ED25519"],
    ]

    /// The process's RSA key in PEM.
    private static let rsa = Result {
        try Child.mustRun(["openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
    }

    let algorithm: JWSAlgorithm
    private let folder: URL

    /// A new key, but the same for all algorithms of RSA; the caller removes its folder with `remove`.
    init(_ algorithm: JWSAlgorithm) throws {
        self.algorithm = algorithm
        folder = FileManager.default.temporaryDirectory.appending(path: "caller-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let arguments = Self.keyArguments[algorithm] {
            try run(["genpkey", "-quiet", "-out", path("key"), "-algorithm"] + arguments)
        } else {
            try Data(Self.rsa.get().utf8).write(to: folder.appending(path: "key"))
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The signature in the form of RFC 7518 section 3.
    func sign(_ message: [UInt8]) throws -> [UInt8] {
        try Data(message).write(to: folder.appending(path: "message"))
        let files = ["-out", path("signature")]
        if algorithm == .edDSA {
            try run(["pkeyutl", "-sign", "-rawin", "-inkey", path("key"), "-in", path("message")] + files)
        } else {
            let isPSS = algorithm.rawValue.hasPrefix("PS")
            let padding = isPSS ? ["rsa_padding_mode:pss", "rsa_pss_saltlen:digest"].flatMap { ["-sigopt", $0] } : []
            let digest = "-sha\(algorithm.rawValue.suffix(3))"
            try run(["dgst", digest, "-sign", path("key")] + padding + files + [path("message")])
        }
        let signature = try read("signature")
        switch algorithm {
        case .es256: return Self.raw(signature, coordinate: 32)
        case .es384: return Self.raw(signature, coordinate: 48)
        default: return signature
        }
    }

    /// The public half as a JWK's text.
    func jwk(keyID: String) throws -> String {
        let start = #"{"kid":"\#(keyID)","#
        try run(["pkey", "-in", path("key"), "-pubout", "-outform", "DER", "-out", path("public")])
        let info = try read("public")
        switch algorithm {
        case .es256: return start + #""kty":"EC","crv":"P-256",\#(Self.point(info.suffix(64)))}"#
        case .es384: return start + #""kty":"EC","crv":"P-384",\#(Self.point(info.suffix(96)))}"#
        case .edDSA: return start + #""kty":"OKP","crv":"Ed25519","x":"\#(Self.text(info.suffix(32)))"}"#
        default:
            let modulus = try run(["rsa", "-in", path("key"), "-modulus", "-noout"]).dropFirst("Modulus=".count)
            let bytes = stride(from: 0, to: 512, by: 2).compactMap { UInt8(modulus.dropFirst($0).prefix(2), radix: 16) }
            return start + #""kty":"RSA","e":"AQAB","n":"\#(Self.text(bytes))"}"#
        }
    }

    /// The two integers of a DER signature, each padded to the size of a coordinate.
    private static func raw(_ der: [UInt8], coordinate: Int) -> [UInt8] {
        let first = Array(der[4..<(4 + Int(der[3]))])
        let second = Array(der[(4 + first.count + 2)...])
        return [first, second].flatMap { integer in
            let digits = integer.drop { $0 == 0 }
            return [UInt8](repeating: 0, count: coordinate - digits.count) + digits
        }
    }

    private static func point(_ coordinates: ArraySlice<UInt8>) -> String {
        let half = coordinates.count / 2
        return #""x":"\#(text(coordinates.prefix(half)))","y":"\#(text(coordinates.suffix(half)))""#
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Base64URL.encode(Array(bytes)), as: UTF8.self)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        try Child.mustRun(["openssl"] + arguments)
    }
}
