import COpenSSL
import Glibc
import OpenSSLCrypto

/// The one owner of a certificate (RFC 5280).
///
/// `@unchecked Sendable`: the object does not change after `init`, and OpenSSL locks the counters and caches in it
/// (openssl-threads(7)).
final class X509Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of the certificate and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The certificates of a PEM text, in its order.
    static func chain(pem: [UInt8]) throws(OpenSSLFailure) -> [X509Certificate] {
        try PEMText.objects(of: pem, called: "certificate") { bio in
            PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil).map { X509Certificate(takingOwnershipOf: $0) }
        }
    }

    /// From when and until when it is valid, in seconds since the epoch; nil if the times are malformed.
    var validity: ClosedRange<Int64>? {
        guard let begin = Self.seconds(X509_get0_notBefore(pointer)),
            let end = Self.seconds(X509_get0_notAfter(pointer)),
            begin <= end
        else { return nil }
        return begin...end
    }

    /// A time in seconds since the epoch; nil if it is malformed.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Int64(timegm(&parts))
    }

    /// Whether it has alternative names of any kind: clients do not look at the subject's common name (RFC 9110 section
    /// 4.3.4).
    var hasAlternativeNames: Bool { X509_get_ext_by_NID(pointer, NID_subject_alt_name, -1) >= 0 }

    /// The DNS names that it is for, in lower case; like clients, without the subject's common name.
    var names: [String] {
        alternativeNames.compactMap { name in
            name.kind == .dns ? String(decoding: name.bytes, as: UTF8.self).lowercased() : nil
        }
    }

    /// The kinds of alternative names that are text.
    enum NameKind { case uri, dns, email }

    /// The alternative names of its subject that are text (section 4.2.1.6), unchanged.
    var alternativeNames: [(kind: NameKind, bytes: [UInt8])] {
        guard let list = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(list)
        defer { GENERAL_NAMES_free(names) }
        return (0..<OPENSSL_sk_num(names)).compactMap { index in
            let name = OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self)
            guard let name, let text = GENERAL_NAME_get0_text(name) else { return nil }
            let kind: NameKind = name.pointee.type == GEN_DNS ? .dns : name.pointee.type == GEN_URI ? .uri : .email
            let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text)))
            return (kind, Array(bytes))
        }
    }

    /// The subject in the notation of RFC 2253; ASCII, with everything else escaped.
    var subject: String { Self.subject(of: pointer) }

    /// The subject of a certificate that this type does not own.
    static func subject(of certificate: OpaquePointer?) -> String { text(of: X509_get_subject_name(certificate)) }

    /// A name in the notation of RFC 2253.
    static func text(of name: OpaquePointer?) -> String {
        guard let bio = try? MemoryBIO(), X509_NAME_print_rfc2253(bio.pointer, name) >= 0 else { return "" }
        return String(decoding: bio.read(), as: UTF8.self)
    }

    /// The issuer's name in the notation of RFC 2253.
    var issuer: String { Self.text(of: X509_get_issuer_name(pointer)) }

    /// Whether it is issued and signed by itself.
    var isSelfSigned: Bool {
        defer { OpenSSLErrorQueue.clear() }
        return X509_self_signed(pointer, 1) == 1
    }

    /// Whether it is the named issuer of another certificate and signed it.
    func issued(_ other: X509Certificate) -> Bool {
        defer { OpenSSLErrorQueue.clear() }
        return X509_check_issued(pointer, other.pointer) == X509_V_OK
            && X509_verify(other.pointer, X509_get0_pubkey(pointer)) == 1
    }

    /// Whether this is the private key of this certificate.
    func belongs(to key: PrivateKey) -> Bool {
        defer { OpenSSLErrorQueue.clear() }
        return X509_check_private_key(pointer, key.pointer) == 1
    }

    deinit {
        X509_free(pointer)
    }
}
