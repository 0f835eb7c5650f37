import HTTPServer
import HTTPServerTLS

/// Serving by https, made out of a configuration: its files are read, and nothing is listened on.
struct TLSSetup {
    /// Where to listen for it.
    let listeners: [SecureListener]
    /// Nil where it is not served.
    let server: TLSServer?
    /// What is allowed but unwise, a sentence each.
    let warnings: [String]

    /// Throws all that is wrong with the files, a sentence each.
    init(_ values: ConfigurationValues) throws(CredentialErrors) {
        let files = try CertificateFiles(values.tls.certificates)
        warnings = files.warnings
        server = try Self.server(files.certificates, for: values)
        listeners = Self.listeners(server, values.tls.listen)
    }

    /// With a certificate of this machine, made in memory, for these addresses.
    init(selfSignedFor addresses: [SocketAddress], hasHTTP2: Bool) throws(CredentialErrors) {
        warnings = []
        do throws(CertificateError) {
            server = try TLSServer([.selfSigned()], hasHTTP2: hasHTTP2)
        } catch {
            throw CredentialErrors(sentences: [error.sentence])
        }
        listeners = Self.listeners(server, addresses)
    }

    private static func server(
        _ certificates: [ServerCertificate], for values: ConfigurationValues
    ) throws(CredentialErrors) -> TLSServer? {
        guard !values.tls.listen.isEmpty, !certificates.isEmpty else { return nil }
        do throws(CertificateError) {
            return try TLSServer(certificates, hasHTTP2: values.http2.isEnabled)
        } catch {
            throw CredentialErrors(sentences: [error.sentence])
        }
    }

    private static func listeners(_ server: TLSServer?, _ addresses: [SocketAddress]) -> [SecureListener] {
        server.map { server in addresses.map { server.listener(on: $0) } } ?? []
    }
}
