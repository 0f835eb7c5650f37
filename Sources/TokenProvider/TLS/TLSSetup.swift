import HTTPServer
import HTTPServerTLS
import ServiceConfiguration
import TokenService

/// Serving by https, made out of a configuration: its files are read, and nothing is listened on.
struct TLSSetup {
    /// Nil where it is not served.
    let server: TLSServer?
    /// What is allowed but unwise, a sentence each.
    let warnings: [String]

    /// Throws all that is wrong with the files, a sentence each.
    init(_ values: ConfigurationValues) throws(ConfigurationErrors) {
        let files = try CertificateFiles(values.tls)
        warnings = files.warnings
        guard !files.certificates.isEmpty, values.allListeners.contains(where: \.isSecure) else {
            server = nil
            return
        }
        server = try Self.noting { () throws(CertificateError) in
            try TLSServer(files.certificates, verifyingBy: files.trust, hasHTTP2: values.http2.isEnabled)
        }
    }

    private init(_ server: TLSServer) { (self.server, warnings) = (server, []) }

    /// With a certificate of this machine, made in memory.
    static func selfSigned(hasHTTP2: Bool) throws(ConfigurationErrors) -> TLSSetup {
        TLSSetup(try noting { () throws(CertificateError) in try TLSServer([.selfSigned()], hasHTTP2: hasHTTP2) })
    }

    /// What secures these listeners, those of them that are not plain.
    func secured(_ listeners: [Configuration.Listener]) -> [SecureListener] {
        listeners.compactMap { listener in
            listener.clients.flatMap { server?.listener(on: listener.address, demanding: $0) }
        }
    }

    private static func noting(_ make: () throws(CertificateError) -> TLSServer) throws(ConfigurationErrors)
        -> TLSServer
    {
        do {
            return try make()
        } catch {
            throw ConfigurationErrors(sentences: [error.sentence])
        }
    }
}
