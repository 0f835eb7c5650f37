import HTTPServer
import HTTPServerTLS
import Logging
import ServiceConfiguration
import StrictJSON
import TokenService

/// Swaps the certificates of a server whole, or keeps the former.
struct CertificateReloader: Sendable {
    let server: TLSServer
    let logger: Logger

    /// The certificates of a configuration; throws all that is wrong with their files.
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

    /// Serves by these from now on, open connections apart; throws why that cannot be.
    func replace(by files: CertificateFiles) throws(ConfigurationErrors) {
        do throws(CertificateError) {
            try server.replace(files.certificates, verifyingBy: files.trust)
        } catch {
            throw ConfigurationErrors(sentences: [error.sentence])
        }
        for warning in files.warnings { logger.warning("\(warning)") }
    }

    /// Why certificates whose time is over, or has yet to come, are not taken for valid ones, a sentence each: clients who
    /// are served would not be any more. At the start there is nothing better.
    private func refusals(of new: [ServerCertificate], at now: Int64) -> [String] {
        let inForce = server.certificates
        return new.enumerated().compactMap { place, certificate in
            guard let period = certificate.failedValidityPeriod(at: now), let failure = period.failure(at: now),
                Self.former(of: certificate, at: place, among: inForce)?.failedValidityPeriod(at: now) == nil
            else { return nil }
            let (begin, end) = (period.validity.lowerBound, period.validity.upperBound)
            let turn = now > end ? "it ended at" : "it begins at"
            let time = CivilTime(clamping: now > end ? end : begin).rfc3339
            return "\(failure) (\(turn) \(time)); expected one that is valid now, as the one in force is"
        }
    }

    /// Whose place it would take: that of its file, or else in the list. In a place of its own it would be shown to clients
    /// who are shown the first as yet.
    private static func former(
        of certificate: ServerCertificate, at place: Int, among inForce: [ServerCertificate]
    ) -> ServerCertificate? {
        inForce.first(where: certificate.sharesFile)
            ?? (inForce.indices.contains(place) ? inForce[place] : inForce.first)
    }
}
