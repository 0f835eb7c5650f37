import Foundation

/// A certificate authority and the certificates that it issues, made by `openssl` in a folder that is removed with it.
package final class TestAuthority: Sendable {
    package enum Key: String, Sendable, CaseIterable { case rsa, ecdsa }

    private let folder: URL
    /// The path of the authority's own certificate, which clients trust.
    package var path: String { path("ca.pem") }

    /// Creates a root authority, `ca`, and an intermediate one, `middle`.
    package init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let extensions = "basicConstraints = critical, CA:TRUE"
        try makeCertificate("ca", .ecdsa, signedBy: nil, extensions: extensions, days: 400)
        try makeCertificate("middle", .ecdsa, signedBy: "ca", extensions: extensions, days: 400)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package func path(_ name: String) -> String { folder.appending(path: name).path }

    package func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: folder.appending(path: name))) }

    /// Creates `NAME.pem`, followed by its chain, and `NAME.key`.
    @discardableResult
    package func certify(_ name: String, _ key: Key = .ecdsa, for names: [String] = ["localhost"]) throws
        -> TestAuthority
    {
        let alternatives = names.map { "DNS:\($0)" }.joined(separator: ",")
        let extensions = names.isEmpty ? "extendedKeyUsage = serverAuth" : "subjectAltName = \(alternatives)"
        try makeCertificate(name, key, signedBy: "middle", extensions: extensions)
        let chain = try bytes("\(name).pem") + bytes("middle.pem")
        try Data(chain).write(to: folder.appending(path: "\(name).pem"))
        return self
    }

    /// Encrypts a key with a passphrase, as `NAME.enc`.
    package func encrypt(_ name: String, passphrase: String) throws {
        try Child.mustRun([
            "openssl", "pkcs8", "-topk8", "-in", path("\(name).key"), "-out", path("\(name).enc"), "-passout",
            "pass:\(passphrase)",
        ])
    }

    /// Creates `NAME.der`, an OCSP response that is valid for a day and says that a certificate is valid (V) or revoked
    /// (R). `signer`: the path, without its extension, of the certificate and key that sign it; `shift`: faketime's
    /// time offset.
    package func staple(
        for name: String, state: String = "V", signer: String? = nil, shift: String = "+0", _ options: [String] = []
    ) throws {
        let line = try Child.mustRun(["openssl", "x509", "-noout", "-serial", "-in", path("\(name).pem")])
        let serial = line.dropFirst("serial=".count).dropLast()
        let revoked = state == "R" ? "260101000000Z" : ""
        let index = "\(state)\t491231000000Z\t\(revoked)\t\(serial)\tunknown\t/CN=\(name)\n"
        try Data(index.utf8).write(to: folder.appending(path: "index"))
        let (middle, leaf) = (path("middle.pem"), path("\(name).pem"))
        try Child.mustRun(
            ["openssl", "ocsp"] + options + ["-issuer", middle, "-cert", leaf, "-reqout", path("request")])
        try Child.mustRun(
            ["faketime", "-f", shift, "openssl", "ocsp", "-index", path("index"), "-CA", middle, "-ndays", "1"]
                + ["-rsigner", "\(signer ?? path("middle")).pem", "-rkey", "\(signer ?? path("middle")).key"]
                + ["-reqin", path("request"), "-respout", path("\(name).der")])
    }

    private func makeCertificate(
        _ name: String, _ key: Key, signedBy authority: String?, extensions: String, days: Int = 2
    ) throws {
        let configuration = """
            [req]
            distinguished_name = name
            prompt = no
            x509_extensions = extensions
            [name]
            CN = \(name)
            [extensions]
            \(extensions)

            """
        try Data(configuration.utf8).write(to: folder.appending(path: "\(name).conf"))
        let algorithm = key == .rsa ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let signer = authority.map { ["-CA", path("\($0).pem"), "-CAkey", path("\($0).key")] } ?? []
        try Child.mustRun(
            ["openssl", "req", "-x509", "-nodes", "-days", "\(days)", "-config", path("\(name).conf")]
                + ["-keyout", path("\(name).key"), "-out", path("\(name).pem"), "-newkey"] + algorithm + signer)
    }
}
