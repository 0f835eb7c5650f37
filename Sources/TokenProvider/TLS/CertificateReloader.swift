import HTTPServer
import HTTPServerTLS
import Logging
import ServiceConfiguration
import StrictJSON
import TokenService

/// Replaces all certificates of a server, or keeps the current ones.
struct CertificateReloader: Sendable {
    let server: TLSServer
    let logger: Logger

    /// Reads the configured certificates; throws every error in their files.
    func read(_ values: ConfigurationValues) throws(ConfigurationErrors) -> CertificateFiles {
        let files: CertificateFiles
        do throws(ConfigurationErrors) {
            files = try CertificateFiles(values.tls)
        } catch {
            throw ConfigurationErrors(sentences: error.sentences)
        }
        let refusals = refusals(of: files.certificates, at: ServerTime.now().epochSeconds)
        guard refusals.isEmpty else { throw ConfigurationErrors(sentences: refusals) }
        return files
    }

    /// Uses these for new connections, or throws why they cannot be used.
    func replace(by files: CertificateFiles) throws(ConfigurationErrors) {
        do throws(CertificateError) {
            try server.replace(files.certificates, verifyingBy: files.trust)
        } catch {
            throw ConfigurationErrors(sentences: [error.sentence])
        }
        logger.warn(of: files.warnings)
    }

    /// Refuses certificates that are expired or not valid yet if they would replace valid ones, a sentence each. The start
    /// accepts them, because there is nothing better.
    private func refusals(of new: [ServerCertificate], at now: Int64) -> [String] {
        let current = server.certificates
        return new.enumerated().compactMap { place, certificate in
            guard let period = certificate.failedValidityPeriod(at: now), let failure = period.failure(at: now),
                Self.replaced(by: certificate, at: place, among: current)?.failedValidityPeriod(at: now) == nil
            else { return nil }
            let (begin, end) = (period.validity.lowerBound, period.validity.upperBound)
            let time = CivilTime(clamping: now > end ? end : begin).rfc3339
            return "\(failure) (\(time)); expected a certificate that is valid now, as the current one is"
        }
    }

    /// The certificate that a new one replaces: the one from the same file, or else at the same place in the list. At a new
    /// place it would be sent to clients that get the first one today.
    private static func replaced(
        by certificate: ServerCertificate, at place: Int, among current: [ServerCertificate]
    ) -> ServerCertificate? {
        current.first(where: certificate.sharesFile)
            ?? (current.indices.contains(place) ? current[place] : current.first)
    }
}
