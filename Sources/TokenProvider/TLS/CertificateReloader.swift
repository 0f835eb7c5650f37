import HTTPServerTLS
import Logging

/// Swaps the certificates of a server whole, or keeps the former.
struct CertificateReloader: Sendable {
    let server: TLSServer
    let logger: Logger

    /// The certificates of a configuration; throws all that is wrong with their files.
    func read(_ values: ConfigurationValues) throws(CallerErrors) -> CertificateFiles {
        do throws(CredentialErrors) {
            return try CertificateFiles(values.tls)
        } catch {
            throw CallerErrors(sentences: error.sentences)
        }
    }

    /// Serves by these from now on, open connections apart; throws why that cannot be.
    func replace(by files: CertificateFiles) throws(CallerErrors) {
        do throws(CertificateError) {
            try server.replace(files.certificates, verifyingBy: files.trust)
        } catch {
            throw CallerErrors(sentences: [error.sentence])
        }
        for warning in files.warnings { logger.warning("\(warning)") }
    }
}
