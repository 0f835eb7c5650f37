import OpenSSLCrypto

/// A certificate with its chain and its matching private key.
package final class ServerCertificate: Sendable {
    /// The files that it comes from, for messages.
    package struct Source: Hashable, Sendable {
        package let certificate: String
        package let key: String
        package let passphrase: String?
        package let response: String?

        package init(certificate: String, key: String, passphrase: String? = nil, response: String? = nil) {
            (self.certificate, self.key, self.passphrase, self.response) = (certificate, key, passphrase, response)
        }
    }

    /// The DNS names that it is for, in lower case; they may start with `*.`.
    package let names: [String]
    let source: Source
    let chain: CertificateChain
    let key: PrivateKey
    let algorithm: PrivateKey.Algorithm
    /// The OCSP response that is stapled; nil if there is none.
    let response: OCSPResponse?

    /// Reads a PEM text with the server's certificate followed by its chain, a PEM text with its private key, which may
    /// be encrypted, and optionally an OCSP response in DER.
    package convenience init(
        chain: [UInt8], key: [UInt8], passphrase: [UInt8]? = nil, response: [UInt8]? = nil, source: Source
    ) throws(CertificateError) {
        let certificates: [X509Certificate]
        do { certificates = try X509Certificate.chain(pem: chain) } catch {
            throw CertificateError(
                source.certificate, noneOf: "certificates", in: chain, error, label: "CERTIFICATE",
                expected: "PEM, the server's own first")
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
        (self.key, self.algorithm, self.source, names) = (key, algorithm, source, leaf.names)
        var file = source.certificate
        do {
            chain = try CertificateChain(leaf, Array(certificates.dropFirst()), source: file)
            file = source.response ?? file
            self.response = if let response { try OCSPResponse(der: response, of: chain, source: file) } else { nil }
        } catch {
            throw CertificateError(file, error.predicate)
        }
    }

    private init(_ other: ServerCertificate, _ key: PrivateKey) {
        (names, source, chain, algorithm) = (other.names, other.source, other.chain, other.algorithm)
        (self.key, response) = (key, other.response)
    }

    /// The same with the key of one of the others, if that is the same key: connections keep theirs through reloads, and
    /// locked memory holds few.
    func sharingKey(of others: [ServerCertificate]) -> ServerCertificate {
        others.first { $0.key.isSame(as: key) }.map { ServerCertificate(self, $0.key) } ?? self
    }

    private static func key(
        pem: [UInt8], _ passphrase: [UInt8]?, _ source: Source
    ) throws(CertificateError) -> PrivateKey {
        do {
            if let key = try PrivateKey(pem: pem, passphrase: passphrase) { return key }
        } catch {
            throw CertificateError(source.key, "cannot be read: \(error.sentence)")
        }
        let failure = OpenSSLErrorQueue.failure(to: "read the key")
        if let fault = PEMFault(in: pem) { throw CertificateError(source.key, fault.problem(expecting: "PRIVATE KEY")) }
        let isEncrypted = String(decoding: pem, as: UTF8.self).contains("ENCRYPTED")
        switch (isEncrypted, source.passphrase) {
        case (true, nil): throw CertificateError(source.key, "is encrypted; expected a passphrase file too")
        case (true, let file?):
            throw CertificateError(source.key, "cannot be decrypted with the passphrase in \(file) (\(failure.reason))")
        case (false, _):
            throw CertificateError(
                source.key,
                "is not a readable private key (\(failure.reason)); expected PEM, \(PrivateKey.expectation)")
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

    /// The validity period that ends first, of the certificate and its chain.
    package var validityPeriod: ValidityPeriod { chain.validityPeriod }

    /// The validity period of the OCSP response, under the name of the certificate's file; nil if there is none.
    package var responseValidityPeriod: ValidityPeriod? { response?.validityPeriod }

    /// The first period of it and its chain that is not valid at a time in seconds since the epoch; nil if all are.
    package func failedValidityPeriod(at now: Int64) -> ValidityPeriod? {
        chain.validityPeriods.first { $0.failure(at: now) != nil }
    }

    /// Why clients will not accept it at a time in seconds since the epoch; nil if its chain is valid.
    package func failure(at now: Int64) -> String? { failedValidityPeriod(at: now)?.failure(at: now) }

    /// Whether both come from the same file, perhaps at different times.
    package func sharesFile(with other: ServerCertificate) -> Bool { source.certificate == other.source.certificate }

    private static let nameless =
        "the certificate has no subject alternative name, so clients accept it for no host; expected each host name there"

    /// Messages about what does not work with some clients, or not for long, at a time in seconds since the epoch.
    package func warnings(at now: Int64) -> [String] {
        let periods = chain.validityPeriods + (responseValidityPeriod.map { [$0] } ?? [])
        let expirations = periods.compactMap { $0.warning(at: now) }
        let name = chain.leaf.hasAlternativeNames ? nil : Self.nameless
        return expirations + [name, chain.warning].compactMap { $0.map { "\(source.certificate): \($0)" } }
    }
}

/// Why a certificate or its key cannot be used: which file, what is wrong with it and what was expected. It holds
/// nothing of a key.
package struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as its caller named it.
    package let source: String
    /// The predicate of a sentence about the file.
    package let problem: String

    package init(_ source: String, _ problem: String) {
        (self.source, self.problem) = (source, problem)
    }

    /// Why no object could be read from a PEM text: what is wrong with the text itself, or OpenSSL's reason. `label`: the
    /// label of the expected blocks.
    init(
        _ source: String, noneOf objects: String, in pem: [UInt8], _ failure: OpenSSLFailure, label: String,
        expected: String
    ) {
        self.init(
            source,
            PEMFault(in: pem)?.problem(expecting: label)
                ?? "holds no \(objects) that can be read (\(failure.reason)); expected \(expected)")
    }

    /// The file and the problem.
    package var sentence: String { "\(source): \(problem)" }

    package var description: String { sentence }
}

/// The predicate of a sentence about a file; the caller adds the file's name.
struct CertificateProblem: Error {
    let predicate: String

    init(_ predicate: String) { self.predicate = predicate }
}
