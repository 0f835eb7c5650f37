import Foundation

/// The validity period of a certificate, in seconds from now.
package struct Validity: Sendable {
    let begin: Int
    let end: Int

    package init(from begin: Int = -3600, until end: Int = 86_400) { (self.begin, self.end) = (begin, end) }
}

extension TestAuthority {
    /// The extension of client certificates unless a test needs another.
    package static let clientUsage = "extendedKeyUsage = clientAuth"

    /// Creates `NAME.pem`, followed by its chain of authorities, and `NAME.key`. The first authority is the issuer.
    @discardableResult
    package func issue(
        _ name: String, _ extensions: [String], by authorities: [String] = ["middle"], _ validity: Validity = Validity()
    ) throws -> TestAuthority {
        let signer = authorities[0]
        try Child.mustRun(
            ["openssl", "req", "-new", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj"]
                + ["/CN=\(name)", "-keyout", path("\(name).key"), "-out", path("\(name).csr")])
        try write("\(name).ext", extensions.joined(separator: "\n") + "\n")
        try Child.mustRun(
            ["openssl", "ca", "-batch", "-notext", "-config", try registry(of: signer)]
                + ["-in", path("\(name).csr"), "-out", path("\(name).pem"), "-extfile", path("\(name).ext")]
                + ["-startdate", Self.time(validity.begin), "-enddate", Self.time(validity.end)])
        let chain = try ([name] + authorities).flatMap { try bytes("\($0).pem") }
        try Data(chain).write(to: URL(filePath: path("\(name).pem")))
        return self
    }

    /// Revokes a certificate.
    package func revoke(_ name: String, by signer: String = "middle") throws {
        try Child.mustRun(["openssl", "ca", "-config", try registry(of: signer), "-revoke", path("\(name).pem")])
    }

    /// Creates `NAME.crl` with the revocation lists of these authorities, valid for this many seconds.
    package func listRevoked(_ name: String, of signers: [String] = ["ca", "middle"], seconds: Int = 86_400) throws {
        let lists = try signers.map { signer in
            try Child.mustRun([
                "openssl", "ca", "-config", try registry(of: signer), "-gencrl", "-crl_lastupdate", Self.time(-7200),
                "-crl_nextupdate", Self.time(seconds),
            ])
        }
        try write("\(name).crl", lists.joined())
    }

    /// The configuration of an authority's `openssl ca` database, created on first use.
    private func registry(of signer: String) throws -> String {
        let file = path("\(signer).registry")
        guard !FileManager.default.fileExists(atPath: file) else { return file }
        try write("\(signer).index", "")
        try write(
            "\(signer).registry",
            """
            [ca]
            default_ca = this
            [this]
            database = \(path("\(signer).index"))
            new_certs_dir = \(path("."))
            certificate = \(path("\(signer).pem"))
            private_key = \(path("\(signer).key"))
            rand_serial = yes
            default_md = sha256
            unique_subject = no
            policy = any
            [any]
            commonName = supplied

            """)
        return file
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// The time format of `openssl ca`.
    private static func time(_ seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyyMMddHHmmss'Z'"
        return formatter.string(from: Date(timeIntervalSinceNow: TimeInterval(seconds)))
    }
}
