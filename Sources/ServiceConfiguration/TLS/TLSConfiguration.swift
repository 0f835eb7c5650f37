import CallerAccess
import HTTPServer
import HTTPServerTLS

extension Configuration {
    /// Serving by https.
    package struct TLS: Sendable, Equatable {
        /// Where to listen for it.
        package var listen: [SocketAddress] = []
        /// What clients are shown.
        package var certificates: [Certificate] = []
        /// What is demanded of clients at `listen`.
        package var clientCertificates = ClientDemand.none
        /// The file of the authorities that vouch for clients; nil if none is asked for a certificate.
        package var clientCAFile: String?
        /// The file of what they have revoked; nil if nobody looks.
        package var clientCRLFile: String?
        /// Which names of a certificate say who its owner is, the first that it has.
        package var clientNames: [CertificateName.Kind] = [.uri, .dns, .email]

        /// The files of a certificate.
        package struct Certificate: Sendable, Equatable {
            /// The certificate, and its chain behind it.
            package let certificate: String
            /// Its private key.
            package let key: String
            /// What opens the key; nil if it is open.
            package let passphrase: String?
            /// What its authority says of it; nil if nothing is shown.
            package var response: String?

            /// A value of these parts.
            package init(certificate: String, key: String, passphrase: String?, response: String? = nil) {
                self.certificate = certificate
                self.key = key
                self.passphrase = passphrase
                self.response = response
            }
        }
    }
}
