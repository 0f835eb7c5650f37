import HTTPServer
import HTTPServerTLS
import ServiceConfiguration
import StrictJSON
import TokenService

/// TLS as configured: its files are read, but nothing is served by them yet.
struct TLSSetup: Sendable {
    /// Nil if no listener uses TLS. Reloads keep it.
    let server: TLSServer?
    /// Warnings, a sentence each.
    let warnings: [String]
    /// What replaces the server's certificates; nil at the start.
    private var replacement: TLSServer.Served?

    /// Throws every error in the files, a sentence each. Only a start begins with TLS.
    init(_ values: Configuration, after previous: TLSSetup? = nil) throws(ConfigurationErrors) {
        guard previous == nil || previous?.server != nil else {
            (server, warnings) = (nil, [])
            return
        }
        let files = try CertificateFiles(values.tls)
        warnings = files.warnings
        if let server = previous?.server {
            let refusals = files.refusals(replacing: server.certificates, at: ServerTime.now().epochSeconds)
            guard refusals.isEmpty else { throw ConfigurationErrors(sentences: refusals) }
            self.server = server
            do { replacement = try server.load(files.certificates, verifyingBy: files.trust) } catch {
                throw ConfigurationErrors(error.sentence)
            }
            return
        }
        guard !files.certificates.isEmpty, values.allListeners.contains(where: \.isSecure) else {
            server = nil
            return
        }
        do {
            server = try TLSServer(files.certificates, verifyingBy: files.trust, hasHTTP2: values.http2.isEnabled)
        } catch {
            throw ConfigurationErrors(error.sentence)
        }
    }

    private init(_ server: TLSServer) { (self.server, warnings) = (server, []) }

    /// With a self-signed certificate for this machine, made in memory.
    static func selfSigned(hasHTTP2: Bool) throws(ConfigurationErrors) -> TLSSetup {
        do { return TLSSetup(try TLSServer([.selfSigned()], hasHTTP2: hasHTTP2)) } catch {
            throw ConfigurationErrors(error.sentence)
        }
    }

    /// Serves new connections by these files.
    func start() {
        if let replacement { server?.start(replacement) }
    }

    /// Those of the listeners that use TLS.
    func secured(_ listeners: [Configuration.Listener]) -> [SecureListener] {
        listeners.compactMap { listener in
            listener.clients.flatMap { server?.listener(on: listener.address, demanding: $0) }
        }
    }
}

extension CertificateFiles {
    /// Refuses certificates that are expired or not valid yet if they would replace valid ones, a sentence each. The start
    /// accepts them, because there is nothing better.
    fileprivate func refusals(replacing current: [ServerCertificate], at now: Int64) -> [String] {
        certificates.enumerated().compactMap { place, certificate in
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
