import HTTPServer
import HTTPServerTLS

/// The certificates that a configuration names, read from their files.
struct CertificateFiles {
    private(set) var certificates: [ServerCertificate] = []
    /// What is allowed but unwise, a sentence each.
    private(set) var warnings: [String] = []

    /// Reads all files, or throws all that is wrong with them.
    init(_ configured: [Configuration.TLS.Certificate]) throws(CredentialErrors) {
        var errors: [String] = []
        for files in configured {
            do throws(CertificateError) {
                certificates.append(try read(files))
            } catch {
                errors.append(error.sentence)
            }
        }
        guard errors.isEmpty else { throw CredentialErrors(sentences: errors) }
        let now = ServerTime.now().epochSeconds
        warnings += certificates.compactMap { $0.warning(at: now) }
    }

    private mutating func read(_ files: Configuration.TLS.Certificate) throws(CertificateError) -> ServerCertificate {
        let chain = try Self.content(files.certificate)
        let response = try files.response.map { (path) throws(CertificateError) in try Self.content(path) }
        let key = try secret(files.key, "a private key")
        let passphrase: [UInt8]? = try files.passphrase.map { (path) throws(CertificateError) in
            Array(try secret(path, "a passphrase").prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        }
        return try ServerCertificate(
            chain: chain, key: key, passphrase: passphrase, response: response,
            source: ServerCertificate.Source(
                certificate: files.certificate, key: files.key, passphrase: files.passphrase,
                response: files.response))
    }

    private static func content(_ path: String) throws(CertificateError) -> [UInt8] {
        try wrapping(path) { () throws(SystemFileError) in
            try SystemFile(path: path).read(atMost: 1 << 20)
        } predicate: {
            $0.predicate
        }
    }

    private mutating func secret(_ path: String, _ expected: String) throws(CertificateError) -> [UInt8] {
        let file = try Self.wrapping(path) { () throws(TrustedFileError) in
            try TrustedFile(path: path, for: .secret(expected))
        } predicate: {
            $0.predicate
        }
        if file.isReadableByOthers {
            warnings.append("\(path): others can read this file and so pose as this server; expected chmod 600")
        }
        return file.content
    }

    private static func wrapping<Value, Failure: Error>(
        _ path: String, _ read: () throws(Failure) -> Value, predicate: (Failure) -> String
    ) throws(CertificateError) -> Value {
        do {
            return try read()
        } catch {
            throw CertificateError(path, predicate(error))
        }
    }
}
