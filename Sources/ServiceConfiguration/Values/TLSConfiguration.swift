import CallerAccess
import HTTPServer
import HTTPServerTLS

extension Configuration {
    /// Serving by https.
    package struct TLS: Sendable, Equatable {
        /// The addresses to listen on.
        package var listen: [SocketAddress] = []
        /// The certificates of the server.
        package var certificates: [Certificate] = []
        /// Which certificate is required of clients at `listen`.
        package var clientCertificates = ClientDemand.none
        /// The file of the authorities that are trusted for client certificates; nil if no client is asked for one.
        package var clientCAFile: String?
        /// The file of their revocation lists; nil if revocation is not checked.
        package var clientCRLFile: String?
        /// Which kinds of names identify the owner of a certificate; the first that it has is used.
        package var clientNames: [CertificateName.Kind] = [.uri, .dns, .email]

        /// The files of a certificate.
        package struct Certificate: Sendable, Equatable {
            /// The certificate, followed by its chain.
            package let certificate: String
            /// Its private key.
            package let key: String
            /// The file of the key's passphrase; nil if the key is not encrypted.
            package let passphrase: String?
            /// The OCSP response of its authority; nil if none is sent.
            package var response: String?
        }
    }
}
