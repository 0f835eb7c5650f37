import HTTPServer
import HTTPServerTLS
import ServiceConfiguration
import TokenService

/// TLS as configured: reads the files, but does not listen yet.
struct TLSSetup {
    /// Nil if no listener uses TLS.
    let server: TLSServer?
    /// Warnings, a sentence each.
    let warnings: [String]

    /// Throws every error in the files, a sentence each.
    init(_ values: ConfigurationValues) throws(ConfigurationErrors) {
        let files = try CertificateFiles(values.tls)
        warnings = files.warnings
        guard !files.certificates.isEmpty, values.allListeners.contains(where: \.isSecure) else {
            server = nil
            return
        }
        server = try Self.refusing { () throws(CertificateError) in
            try TLSServer(files.certificates, verifyingBy: files.trust, hasHTTP2: values.http2.isEnabled)
        }
    }

    private init(_ server: TLSServer) { (self.server, warnings) = (server, []) }

    /// With a self-signed certificate for this machine, made in memory.
    static func selfSigned(hasHTTP2: Bool) throws(ConfigurationErrors) -> TLSSetup {
        TLSSetup(try refusing { () throws(CertificateError) in try TLSServer([.selfSigned()], hasHTTP2: hasHTTP2) })
    }

    /// Those of the listeners that use TLS.
    func secured(_ listeners: [Configuration.Listener]) -> [SecureListener] {
        listeners.compactMap { listener in
            listener.clients.flatMap { server?.listener(on: listener.address, demanding: $0) }
        }
    }

    private static func refusing(_ make: () throws(CertificateError) -> TLSServer) throws(ConfigurationErrors)
        -> TLSServer
    {
        do {
            return try make()
        } catch {
            throw ConfigurationErrors(sentences: [error.sentence])
        }
    }
}
