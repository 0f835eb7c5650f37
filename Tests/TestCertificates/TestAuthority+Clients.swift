import ChildProcess
import Foundation

/// When a certificate is valid, relative to now in seconds.
public struct Validity: Sendable {
    let begin: Int
    let end: Int

    /// From when until when.
    public init(from begin: Int = -3600, until end: Int = 86_400) { (self.begin, self.end) = (begin, end) }
}

extension TestAuthority {
    /// What a client's certificate says unless a test wants it otherwise.
    public static let clientUsage = "extendedKeyUsage = clientAuth"

    /// Makes `NAME.pem`, with its chain of authorities behind it, and `NAME.key`; the last authority is the one that clients
    /// know by itself.
    @discardableResult
    public func issue(
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

    /// Takes back what an authority has said of a certificate.
    public func revoke(_ name: String, by signer: String = "middle") throws {
        try Child.mustRun(["openssl", "ca", "-config", try registry(of: signer), "-revoke", path("\(name).pem")])
    }

    /// Makes `NAME.crl`, the revocation lists of these authorities, which are in force for so many seconds.
    public func listRevoked(_ name: String, of signers: [String] = ["ca", "middle"], seconds: Int = 86_400) throws {
        let lists = try signers.map { signer in
            try Child.mustRun([
                "openssl", "ca", "-config", try registry(of: signer), "-gencrl", "-crl_lastupdate", Self.time(-7200),
                "-crl_nextupdate", Self.time(seconds),
            ])
        }
        try write("\(name).crl", lists.joined())
    }

    /// The configuration by which `openssl ca` keeps what an authority has said.
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

    /// As `openssl ca` takes times.
    private static func time(_ seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyyMMddHHmmss'Z'"
        return formatter.string(from: Date(timeIntervalSinceNow: TimeInterval(seconds)))
    }
}
