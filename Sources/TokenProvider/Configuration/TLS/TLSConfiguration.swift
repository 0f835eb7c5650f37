import HTTPServer

extension Configuration {
    /// Serving by https.
    struct TLS: Sendable, Equatable {
        /// Where to listen for it.
        var listen: [SocketAddress] = []
        /// What clients are shown.
        var certificates: [Certificate] = []

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
