import COpenSSL

extension VerificationKey {
    /// The RSA key in a PEM text: exactly one `PUBLIC KEY` (SubjectPublicKeyInfo, RFC 7468 section 13) or one `CERTIFICATE`
    /// (section 5), whose dates and issuer are not checked.
    package convenience init(rsaPEM pem: [UInt8]) throws(PublicKeyError) { try self.init(rsa: Self.key(in: pem)) }

    /// The key of any type in such a PEM text.
    package convenience init(pem: [UInt8]) throws(PublicKeyError) {
        let key = try Self.key(in: pem)
        let form: [UInt8]
        do { form = try key.form() } catch { throw .unreadable(error) }
        guard let curve = Curve.allCases.first(where: { form.starts(with: $0.keyHead) }) else {
            try self.init(rsa: key)
            return
        }
        let (point, length) = (form.dropFirst(curve.keyHead.count), curve.coordinateBytes)
        let starts = stride(from: point.startIndex, to: point.endIndex, by: length)
        try self.init(curve, coordinates: starts.map { Array(point[$0...].prefix(length)) })
    }

    private static func key(in pem: [UInt8]) throws(PublicKeyError) -> PublicKeyObject {
        let frame: PEMFrame
        do { frame = try PEMFrame(pem) } catch { throw .notPEM(error) }
        guard frame.ending != .missing else { throw .notPEM(PEMFault(in: pem) ?? .truncated) }
        guard frame.ending == .nothing else { throw .trailingData }
        let label = PEMLabel(rawValue: frame.label)
        guard label == .publicKey || label == .certificate else { throw .otherLabel }
        OpenSSLErrorQueue.clear()
        do throws(OpenSSLFailure) {
            let bio = try MemoryBIO(pem)
            return try label == .certificate ? Certificate(bio).publicKey() : readPublicKey(bio)
        } catch {
            throw .unreadable(error)
        }
    }

    private static func readPublicKey(_ bio: MemoryBIO) throws(OpenSSLFailure) -> PublicKeyObject {
        guard let key = PEM_read_bio_PUBKEY(bio.pointer, nil, { _, _, _, _ in -1 }, nil) else {
            throw OpenSSLErrorQueue.failure(to: "read the public key")
        }
        return PublicKeyObject(takingOwnershipOf: key)
    }
}

/// Certificates in PEM (RFC 7468 section 5), for a library that reads them itself.
package enum CertificateList {
    /// Whether the text has certificates and nothing that cannot be read. It is read by the function that libcurl uses.
    package static func isUsable(_ pem: [UInt8]) -> Bool {
        defer { OpenSSLErrorQueue.clear() }
        guard let bio = try? MemoryBIO(pem),
            let objects = PEM_X509_INFO_read_bio(bio.pointer, nil, { _, _, _, _ in -1 }, nil)
        else { return false }
        defer { OPENSSL_sk_pop_free(objects) { X509_INFO_free($0?.assumingMemoryBound(to: X509_INFO.self)) } }
        let count = (0..<OPENSSL_sk_num(objects)).count { place in
            OPENSSL_sk_value(objects, place)?.assumingMemoryBound(to: X509_INFO.self).pointee.x509 != nil
        }
        // That function skips a certificate whose first line is damaged.
        let begun = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline).count {
            $0.contains("BEGIN") && $0.contains("CERT")
        }
        return count > 0 && count == begun
    }
}

/// The one owner of a certificate (X.509).
private final class Certificate {
    private let pointer: OpaquePointer

    /// Reads a PEM text.
    init(_ bio: MemoryBIO) throws(OpenSSLFailure) {
        guard let certificate = PEM_read_bio_X509(bio.pointer, nil, { _, _, _, _ in -1 }, nil) else {
            throw OpenSSLErrorQueue.failure(to: "read the certificate")
        }
        pointer = certificate
    }

    func publicKey() throws(OpenSSLFailure) -> PublicKeyObject {
        guard let key = X509_get_pubkey(pointer) else {
            throw OpenSSLErrorQueue.failure(to: "read the certificate's key")
        }
        return PublicKeyObject(takingOwnershipOf: key)
    }

    deinit {
        X509_free(pointer)
    }
}
