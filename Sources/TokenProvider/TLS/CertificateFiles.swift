import HTTPServer
import HTTPServerTLS
import OpenSSLCrypto
import ServiceConfiguration
import SystemFiles
import TokenService

/// The server's certificates and the trust in clients' certificates, read from the files that a configuration names.
struct CertificateFiles {
    private(set) var certificates: [ServerCertificate] = []
    /// Nil if no client certificates are requested.
    private(set) var trust: ClientTrust?
    /// Warnings, a sentence each.
    private(set) var warnings: [String] = []

    /// Reads all files; throws every error in them.
    init(_ configured: Configuration.TLS) throws(ConfigurationErrors) {
        self = try KeyMemory.wiping { () throws(ConfigurationErrors) in try CertificateFiles(reading: configured) }
        if let warning = KeyMemory.takeWarning() { warnings.append(warning) }
    }

    private init(reading configured: Configuration.TLS) throws(ConfigurationErrors) {
        var errors: [String] = []
        for files in configured.certificates {
            do throws(CertificateError) {
                let certificate = try KeyMemory.wiping { () throws(CertificateError) in try read(files) }
                certificates.append(certificate)
            } catch {
                errors.append(error.sentence)
            }
        }
        do { trust = try ClientTrust(configured) } catch { errors += error.sentences }
        guard errors.isEmpty else { throw ConfigurationErrors(sentences: errors) }
        let now = ServerTime.now().epochSeconds
        warnings += certificates.flatMap { $0.warnings(at: now) } + (trust?.warnings(at: now) ?? [])
    }

    private mutating func read(_ configured: Configuration.TLS.Certificate) throws(CertificateError)
        -> ServerCertificate
    {
        let readable = CredentialCopies.own.readable
        let files = ServerCertificate.Source(
            certificate: readable(configured.certificate), key: readable(configured.key),
            passphrase: configured.passphrase.map(readable), response: configured.response.map(readable))
        let chain = try Self.content(files.certificate)
        let response = try files.response.map { (path) throws(CertificateError) in try Self.content(path) }
        let key = try secret(files.key, "a private key")
        let passphrase: [UInt8]? = try files.passphrase.map { (path) throws(CertificateError) in
            Array(try secret(path, "a passphrase").prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        }
        return try ServerCertificate(
            chain: chain, key: key, passphrase: passphrase, response: response,
            source: files)
    }

    private static func content(_ path: String) throws(CertificateError) -> [UInt8] {
        do { return try SystemFile(path: path).read(atMost: 1 << 20) } catch {
            throw CertificateError(path, error.predicate)
        }
    }

    private mutating func secret(_ path: String, _ expected: String) throws(CertificateError) -> [UInt8] {
        let file: TrustedFile
        do { file = try TrustedFile(path: path, for: .secret(expected)) } catch {
            throw CertificateError(path, error.predicate)
        }
        if file.isReadableByOthers {
            warnings.append("\(path): other users can read this file; expected chmod 600")
        }
        return file.content
    }
}

extension ClientTrust {
    /// The configured trust; nil if none is configured. Only trusted files are read, because their writers decide who gets in.
    fileprivate convenience init?(_ configured: Configuration.TLS) throws(ConfigurationErrors) {
        guard let path = configured.clientCAFile.map(CredentialCopies.own.readable) else { return nil }
        let authorities = try CallerFile.read(path)
        let list = configured.clientCRLFile.map(CredentialCopies.own.readable)
        let revocations = try list.map { (path) throws(ConfigurationErrors) in
            try CallerFile.read(path)
        }
        let kinds = configured.clientNames
        do throws(CertificateError) {
            try self.init(
                authorities: authorities, revocations: revocations,
                source: Source(authorities: path, revocations: list)
            ) { CertificateCaller($0, named: kinds) }
        } catch {
            throw ConfigurationErrors(sentences: [error.sentence])
        }
    }
}
