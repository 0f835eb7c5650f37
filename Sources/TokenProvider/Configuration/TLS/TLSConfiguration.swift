import CallerAccess
import HTTPServer
import HTTPServerTLS

extension Configuration {
    /// Serving by https.
    struct TLS: Sendable, Equatable {
        /// Where to listen for it.
        var listen: [SocketAddress] = []
        /// What clients are shown.
        var certificates: [Certificate] = []
        /// What is demanded of clients at `listen`.
        var clientCertificates = ClientDemand.none
        /// The file of the authorities that vouch for clients; nil if none is asked for a certificate.
        var clientCAFile: String?
        /// The file of what they have revoked; nil if nobody looks.
        var clientCRLFile: String?
        /// Which names of a certificate say who its owner is, the first that it has.
        var clientNames: [CertificateName.Kind] = [.uri, .dns, .email]

        /// The files of a certificate.
        struct Certificate: Sendable, Equatable {
            /// The certificate, and its chain behind it.
            let certificate: String
            /// Its private key.
            let key: String
            /// What opens the key; nil if it is open.
            let passphrase: String?
            /// What its authority says of it; nil if nothing is shown.
            var response: String?
        }
    }
}
