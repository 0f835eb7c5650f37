import Dispatch
import HTTPServerTLS
import Logging

/// Reads the certificates anew and swaps them whole, or keeps the former and says why.
final class CertificateReloader: Sendable {
    private let server: TLSServer
    private let read: @Sendable () throws(CallerErrors) -> ConfigurationValues
    private let logger: Logger
    private let queue = DispatchQueue(label: "certificates")

    /// Reloads what a server serves by; `read` reads the configuration as it is now.
    init(
        _ server: TLSServer, logger: Logger,
        reading read: @escaping @Sendable () throws(CallerErrors) -> ConfigurationValues
    ) {
        (self.server, self.logger, self.read) = (server, logger, read)
    }

    /// Reloads in the background, as a member of the group if there is one; one reload after the other.
    func reload(in group: DispatchGroup? = nil) {
        queue.async(group: group) { self.tryReload() }
    }

    private func tryReload() {
        do {
            let files = try CertificateFiles(try read().tls.certificates)
            try server.replaceCertificates(by: files.certificates)
            for warning in files.warnings { logger.warning("\(warning)") }
            logger.notice("certificates were reloaded, for connections from now on")
        } catch let error as CallerErrors {
            keep(error.sentences)
        } catch let error as CredentialErrors {
            keep(error.sentences)
        } catch {
            keep(["\(error)"])
        }
    }

    private func keep(_ reasons: [String]) {
        for reason in reasons {
            logger.error("not reloaded, the former certificates stay", metadata: ["reason": "\(reason)"])
        }
    }
}
