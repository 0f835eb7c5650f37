internal import OpenSSLObjects

/// A certificate with its chain and its private key, which belong together.
public final class ServerCertificate: Sendable {
    /// The names of the files that it comes from, for the sentences.
    public struct Source: Hashable, Sendable {
        let certificate: String
        let key: String
        let passphrase: String?
        let response: String?

        /// Names the files.
        public init(certificate: String, key: String, passphrase: String? = nil, response: String? = nil) {
            (self.certificate, self.key, self.passphrase, self.response) = (certificate, key, passphrase, response)
        }
    }

    /// The DNS names that it is for, in lower case; one may begin with `*.`.
    public let names: [String]
    /// From when and until when it is valid, in seconds since the epoch.
    let validity: ClosedRange<Int64>
    let source: Source
    let leaf: X509Certificate
    /// The authorities between the certificate and the one that clients know.
    let chain: [X509Certificate]
    let key: PrivateKey
    let algorithm: PrivateKey.Algorithm
    /// What the authority says of the certificate; nil if nothing is shown.
    let response: OCSPResponse?

    /// Reads a PEM text with the server's certificate first and its chain behind it, and one with its private key, which
    /// may be under a passphrase; and what the authority says of the certificate, an OCSP response in DER.
    public convenience init(
        chain: [UInt8], key: [UInt8], passphrase: [UInt8]? = nil, response: [UInt8]? = nil, source: Source
    ) throws(CertificateError) {
        let certificates: [X509Certificate]
        do throws(OpenSSLFailure) {
            certificates = try X509Certificate.chain(pem: chain)
        } catch {
            throw CertificateError(
                source.certificate,
                "holds no certificates that can be read (\(error.reason)); expected PEM, the server's own first")
        }
        let key = try Self.key(pem: key, passphrase, source)
        try self.init(certificates, key, response: response, source: source)
    }

    init(
        _ certificates: [X509Certificate], _ key: PrivateKey, response: [UInt8]? = nil, source: Source
    ) throws(CertificateError) {
        guard let algorithm = key.algorithm, key.isStrong else {
            throw CertificateError(
                source.key, "is a key of type \(key.description); expected \(PrivateKey.expectation)")
        }
        guard let leaf = certificates.first, leaf.belongs(to: key) else {
            throw Self.mismatch(certificates, key, source)
        }
        guard let validity = leaf.validity else {
            throw CertificateError(source.certificate, "has malformed dates; expected notBefore and then notAfter")
        }
        (self.leaf, self.key, self.algorithm, self.validity, self.source) = (leaf, key, algorithm, validity, source)
        chain = Array(certificates.dropFirst())
        names = leaf.names
        do throws(OCSPProblem) {
            self.response = try response.map { (bytes) throws(OCSPProblem) in
                try OCSPResponse(der: bytes, of: leaf, by: certificates.dropFirst().first)
            }
        } catch {
            throw CertificateError(source.response ?? source.certificate, error.predicate)
        }
    }

    private static func key(
        pem: [UInt8], _ passphrase: [UInt8]?, _ source: Source
    ) throws(CertificateError) -> PrivateKey {
        do throws(OpenSSLFailure) {
            if let key = try PrivateKey(pem: pem, passphrase: passphrase) { return key }
        } catch {
            throw CertificateError(source.key, "cannot be read: \(error.sentence)")
        }
        let failure = OpenSSLErrorQueue.failure(to: "read the key")
        let isEncrypted = String(decoding: pem, as: UTF8.self).contains("ENCRYPTED")
        switch (isEncrypted, source.passphrase) {
        case (true, nil): throw CertificateError(source.key, "is under a passphrase; expected a passphrase file too")
        case (true, let file?):
            throw CertificateError(source.key, "is not opened by the passphrase in \(file) (\(failure.reason))")
        case (false, _):
            throw CertificateError(
                source.key,
                "is no private key that can be read (\(failure.reason)); expected PEM, \(PrivateKey.expectation)"
            )
        }
    }

    private static func mismatch(
        _ certificates: [X509Certificate], _ key: PrivateKey, _ source: Source
    ) -> CertificateError {
        guard let place = certificates.firstIndex(where: { $0.belongs(to: key) }) else {
            return CertificateError(
                source.key,
                "is not the key of the certificate in \(source.certificate); expected the two to belong together")
        }
        return CertificateError(
            source.certificate, "has the certificate of \(source.key) in place \(place + 1); expected it first")
    }

    /// From when and until when clients accept it.
    public var term: Term {
        Term(
            source.certificate, validity, of: "\(source.certificate): the certificate's validity",
            otherwise: "so that clients will not accept it")
    }

    /// What is allowed but will not work, or not for long, at a time in seconds since the epoch; nil if nothing is wrong with
    /// the dates.
    public func warning(at now: Int64) -> String? { term.warning(at: now) ?? responseWarning(at: now) }

    private func responseWarning(at now: Int64) -> String? {
        guard let response, !response.serves(at: now) else { return nil }
        return "\(source.response ?? source.certificate): the OCSP response's time is over, so that it is not shown"
    }
}
