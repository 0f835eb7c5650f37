import TestSupport
import Testing

@testable import HTTPServerTLS

/// Certificates and keys as files hold them, and why some cannot be used.
struct ServerCertificateTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority().certify("server", for: ["a.test", "*.B.test"]) }

    private func problem(
        chain: [UInt8]? = nil, key: [UInt8]? = nil, passphrase: String? = nil
    ) throws -> String {
        let source = ServerCertificate.Source(
            certificate: "cert.pem", key: "key.pem", passphrase: passphrase.map { _ in "pass" })
        do throws(CertificateError) {
            _ = try ServerCertificate(
                chain: chain ?? (try? authority.bytes("server.pem")) ?? [],
                key: key ?? (try? authority.bytes("server.key")) ?? [], passphrase: passphrase.map { Array($0.utf8) },
                source: source)
            return "none"
        } catch {
            return error.sentence
        }
    }

    @Test func `a certificate knows its names, its chain and its dates`() throws {
        let certificate = try authority.certificate("server")
        #expect(certificate.names == ["a.test", "*.b.test"])
        #expect(certificate.chain.authorities.count == 1)
        #expect(certificate.algorithm == .ecdsa)
        let validity = certificate.validityPeriod.validity
        // `openssl` reads the clock for each of the two dates.
        #expect((172_800...172_802).contains(validity.upperBound - validity.lowerBound))
    }

    @Test func `a certificate without a subject alternative name has a warning`() throws {
        try authority.certify("nameless", for: [])
        let (nameless, named) = (try authority.certificate("nameless"), try authority.certificate("server"))
        let begin = nameless.validityPeriod.validity.lowerBound
        #expect(
            nameless.warnings(at: begin).map { $0.split(separator: ": ", maxSplits: 1).last } == [
                "the certificate has no subject alternative name, so clients accept it for no host; expected each host name "
                    + "there"
            ])
        #expect(named.warnings(at: begin) == [])
    }

    @Test func `warnings and failures follow a certificate's validity period`() throws {
        let certificate = try authority.certificate("server")
        let validity = certificate.validityPeriod.validity
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        #expect(certificate.warnings(at: begin) == [])
        #expect(certificate.warnings(at: end - 57_600) == [])
        #expect(
            certificate.warnings(at: end - 3600)
                == ["server.pem: the certificate expires in 1 hour; expected a renewed one"])
        let expired = "server.pem: the certificate expired 1 day ago, so clients will not accept it"
        #expect(certificate.warnings(at: end + 86_401) == [expired])
        #expect(certificate.failure(at: end + 86_401) == expired)
        #expect(certificate.failure(at: end) == nil)
        #expect(certificate.warnings(at: begin - 3 * 86_400).first?.contains("becomes valid in 3 days") == true)
    }

    @Test func `an encrypted key opens only with its own passphrase`() throws {
        try authority.encrypt("server", passphrase: "correct horse")
        let key = try authority.bytes("server.enc")
        #expect(try problem(key: key, passphrase: "correct horse") == "none")
        #expect(try problem(key: key) == "key.pem: is encrypted; expected a passphrase file too")
        for wrong in ["", "battery staple", "correct horse "] {
            #expect(
                try problem(key: key, passphrase: wrong)
                    .hasPrefix("key.pem: cannot be decrypted with the passphrase in pass ("))
        }
    }

    @Test func `a key of another certificate is refused`() throws {
        try authority.certify("other")
        #expect(
            try problem(key: authority.bytes("other.key"))
                == "key.pem: is not the key of the certificate in cert.pem; expected the two to belong together")
    }

    @Test func `a chain in the wrong order is refused`() throws {
        let chain = try authority.bytes("middle.pem") + authority.bytes("server.pem")
        #expect(
            try problem(chain: chain) == "cert.pem: has the certificate of key.pem in place 2; expected it first")
    }

    @Test(arguments: [
        ["rsa:1024"], ["ed25519"], ["ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
        ["ec", "-pkeyopt", "ec_paramgen_curve:secp224r1"],
    ])
    func `a weak or unsupported key is refused`(algorithm: [String]) throws {
        try Child.mustRun(
            ["openssl", "req", "-x509", "-nodes", "-days", "2", "-config", authority.path("server.conf")]
                + ["-keyout", authority.path("weak.key"), "-out", authority.path("weak.pem"), "-newkey"] + algorithm)
        let sentence = try problem(chain: authority.bytes("weak.pem"), key: authority.bytes("weak.key"))
        #expect(sentence.hasPrefix("key.pem: is a key of type "))
        #expect(sentence.hasSuffix("; expected \(PrivateKey.expectation)"))
    }

    @Test func `an unreadable certificate or key is refused`() throws {
        let bytes = Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
        #expect(try problem(chain: bytes).hasPrefix("cert.pem: holds no certificates that can be read ("))
        #expect(try problem(key: bytes).hasPrefix("key.pem: is not a readable private key ("))
        let garbage = try authority.bytes("server.pem") + bytes
        #expect(try problem(chain: garbage).hasPrefix("cert.pem: holds no certificates that can be read ("))
    }

    @Test func `a file that is not PEM is refused with the cause`() throws {
        func lines(_ label: String) -> String { "the lines -----BEGIN \(label)----- to -----END \(label)-----" }
        for (label, name) in [("CERTIFICATE", "server.pem"), ("PRIVATE KEY", "server.key")] {
            let sound = String(decoding: try authority.bytes(name), as: UTF8.self)
            let cases: [([UInt8], String)] = [
                ([], "is empty; expected \(lines(label))"),
                (
                    Array("text".utf8),
                    "is not PEM: it does not begin with a -----BEGIN line; expected \(lines(label))"
                ),
                (sound.utf8.flatMap { byte -> [UInt8] in [byte, 0] }, "is UTF-16 text; expected UTF-8"),
                (
                    Array(sound.utf8.dropLast(20)),
                    "is truncated: a -----BEGIN line has no -----END line; expected \(lines(label))"
                ),
                (
                    Array(sound.replacing("\n", with: "\\n").utf8),
                    "is not PEM: its line breaks are written as the two characters \\n; expected real line breaks"
                ),
            ]
            for (bytes, sentence) in cases {
                let isKey = label == "PRIVATE KEY"
                let found = try isKey ? problem(key: bytes) : problem(chain: bytes)
                #expect(found == "\(isKey ? "key.pem" : "cert.pem"): \(sentence)")
            }
        }
    }

    @Test func `a byte order mark is skipped, and never named as the cause`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let (chain, key) = (try authority.bytes("server.pem"), try authority.bytes("server.key"))
        #expect(try problem(chain: mark + chain, key: mark + key) == "none")
        #expect(try problem(key: mark + key.dropLast(20)).hasPrefix("key.pem: is truncated: "))
    }

    @Test func `a self-signed certificate for localhost is made in memory`() throws {
        let certificate = try ServerCertificate.selfSigned()
        #expect(certificate.names == ["localhost"])
        #expect(certificate.algorithm == .ecdsa)
        _ = try TLSServer([certificate])
    }

    @Test func `a server without a certificate is refused`() {
        #expect(throws: CertificateError("TLS", "no certificate is given; expected at least one")) { try TLSServer([]) }
    }
}
