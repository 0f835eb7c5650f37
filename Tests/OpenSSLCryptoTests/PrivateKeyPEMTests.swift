import Foundation
import OpenSSLCrypto
import TestSupport
import Testing

@Suite struct PrivateKeyPEMTests {
    @Test func `white space around the block and CRLF line ends are accepted`() throws {
        let pem = try KeyFixture.pem()
        for text in [
            pem, "\n \t\n" + pem + "\n\n  \n", pem.replacingOccurrences(of: "\n", with: "\r\n"), String(pem.dropLast()),
        ] {
            #expect(try RSAPrivateKey(pem: Array(text.utf8)).bits == 2048)
        }
    }

    @Test func `text without a complete block is refused with the cause`() throws {
        let pem = try KeyFixture.pem()
        let escaped = pem.replacingOccurrences(of: "\n", with: "\\n")
        let cases: [(String, PEMFault)] = [
            ("", .notText(.empty)), (" \r\n\t", .notText(.empty)), ("x", .noBlock), ("see below\n" + pem, .noBlock),
            ("-----BEGIN PRIVATE KEY-----", .truncated), ("-----BEGIN PRIV", .truncated),
            (String(pem.prefix(800)), .truncated), (String(pem.dropLast(6)), .truncated),
            (pem.replacingOccurrences(of: "-----END PRIVATE KEY-----", with: ""), .truncated),
            (escaped, .escapedLineBreaks), (String(escaped.dropLast(40)), .escapedLineBreaks),
            (pem.replacingOccurrences(of: "\n", with: "\\n\n"), .escapedLineBreaks),
            (pem.replacingOccurrences(of: "\n", with: ""), .noLineBreaks),
            (pem.replacingOccurrences(of: "\n", with: " "), .noLineBreaks),
        ]
        for (text, fault) in cases {
            try expect(Array(text.utf8), fault)
        }
    }

    @Test func `text in another encoding is refused with the cause`() throws {
        let pem = try KeyFixture.pem()
        let littleEndian = pem.utf8.flatMap { byte -> [UInt8] in [byte, 0] }
        let bigEndian = pem.utf8.flatMap { byte -> [UInt8] in [0, byte] }
        for bytes in [littleEndian, bigEndian, [0xFF, 0xFE] + littleEndian, [0xFE, 0xFF] + bigEndian] {
            try expect(bytes, .notText(.utf16))
        }
        try expect([0xEF, 0xBB, 0xBF] + Array(pem.utf8), .notText(.byteOrderMark))
        try expect(Array(pem.utf8) + [0xFF], .notUTF8)
    }

    private func expect(_ pem: [UInt8], _ fault: PEMFault) throws {
        let error = #expect(throws: KeyError.self) { try RSAPrivateKey(pem: pem) }
        #expect(error == .notPEM(fault))
        expectNoKeyBytes(error)
    }

    @Test func `data after the block is refused`() throws {
        let pem = try KeyFixture.pem()
        let ending = "-----END PRIVATE KEY-----"
        let hidden = pem.replacing(ending, with: ending + "\u{1}") + pem
        let nested = " -----BEGIN PRIVATE KEY-----\n" + pem.replacing("PRIVATE", with: "RSA PRIVATE") + ending + "\n"
        for text in [pem + "x", pem + pem, pem + "\u{0}", hidden, nested] {
            let error = #expect(throws: KeyError.self) { try RSAPrivateKey(pem: Array(text.utf8)) }
            #expect(error == .trailingData)
            expectNoKeyBytes(error)
        }
    }

    @Test func `a key of another algorithm is refused with the algorithm's name`() throws {
        let cases: [(String, String?, String)] = [
            ("EC", "ec_paramgen_curve:P-256", "EC"), ("ED25519", nil, "ED25519"), ("X25519", nil, "X25519"),
            ("RSA-PSS", "rsa_keygen_bits:2048", "RSA-PSS"),
        ]
        for (algorithm, option, name) in cases {
            let pem = try OpenSSLCommand.newKey(algorithm, option: option)
            let error = #expect(throws: KeyError.self) { try RSAPrivateKey(pem: Array(pem.utf8)) }
            #expect(error == .notRSA(algorithm: name))
            let sentence = "the private key is a key of type \(name); expected RSA, which RS256 signs with"
            #expect(error?.sentence == sentence)
        }
    }

    @Test(arguments: [512, 1024, 2047])
    func `an RSA key under 2048 bits is refused`(bits: Int) throws {
        let pem = try OpenSSLCommand.newKey("RSA", option: "rsa_keygen_bits:\(bits)")
        let error = #expect(throws: KeyError.self) { try RSAPrivateKey(pem: Array(pem.utf8)) }
        #expect(error?.sentence == "the private key is an RSA key of \(bits) bits; expected at least 2048")
    }

    // No case may ask for a passphrase.
    @Test func `anything but an unencrypted PKCS 8 key is refused by its label`() throws {
        try OpenSSLCommand.inFolder { folder in
            let path = "\(folder)/key"
            try KeyFixture.pem().write(toFile: path, atomically: true, encoding: .utf8)
            let cases: [(String, PEMLabel)] = [
                (try OpenSSLCommand.run("pkcs8", "-topk8", "-in", path, "-passout", "pass:x"), .encryptedPrivateKey),
                (try OpenSSLCommand.run("rsa", "-traditional", "-in", path), .rsaPrivateKey),
                (
                    try OpenSSLCommand.run("rsa", "-traditional", "-aes128", "-passout", "pass:x", "-in", path),
                    .rsaPrivateKey
                ),
                (try OpenSSLCommand.run("pkey", "-in", path, "-pubout"), .publicKey),
                (try OpenSSLCommand.run("rsa", "-in", path, "-RSAPublicKey_out"), .rsaPublicKey),
                (try OpenSSLCommand.run("req", "-x509", "-key", path, "-subj", "/CN=x"), .certificate),
                ("-----BEGIN OPENSSH PRIVATE KEY-----\n", .openSSHPrivateKey), ("-----BEGIN CANARY-----\n", .unknown),
            ]
            for (pem, label) in cases {
                let start = try #require(pem.range(of: "-----BEGIN"))
                let error = #expect(throws: KeyError.self) {
                    try RSAPrivateKey(pem: Array(pem[start.lowerBound...].utf8))
                }
                #expect(error == .otherLabel(label))
                #expect(error?.sentence.contains("CANARY") == false)
                expectNoKeyBytes(error)
            }
        }
    }

    @Test func `an encrypted block with a wrong label is unreadable and asks nothing`() throws {
        try OpenSSLCommand.inFolder { folder in
            try KeyFixture.pem().write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            let encrypted = try OpenSSLCommand.run("pkcs8", "-topk8", "-in", "\(folder)/key", "-passout", "pass:x")
            let traditional = try OpenSSLCommand.run(
                "rsa", "-traditional", "-aes128", "-passout", "pass:x", "-in", "\(folder)/key")
            let start = try #require(traditional.range(of: "-----BEGIN"))
            let texts = [
                encrypted.replacingOccurrences(of: "ENCRYPTED PRIVATE", with: "PRIVATE"),
                traditional[start.lowerBound...].replacingOccurrences(of: "RSA PRIVATE", with: "PRIVATE"),
            ]
            for text in texts {
                let error = #expect(throws: KeyError.self) { try RSAPrivateKey(pem: Array(text.utf8)) }
                guard case .unreadable = error else {
                    Issue.record("unreadable expected, got \(String(describing: error))")
                    continue
                }
                expectNoKeyBytes(error)
            }
        }
    }

    @Test func `a truncated or garbage block is refused with OpenSSL's reason only`() throws {
        var lines = try KeyFixture.pem().split(separator: "\n")
        lines.remove(at: 5)
        let texts = [
            lines.joined(separator: "\n"), "-----BEGIN PRIVATE KEY-----\nQ0FOQVJZ\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n!!CANARY!!\n-----END PRIVATE KEY-----",
        ]
        for text in texts {
            let error = #expect(throws: KeyError.self) { try RSAPrivateKey(pem: Array(text.utf8)) }
            let sentence = try #require(error?.sentence)
            #expect(sentence.hasPrefix("the private key is not a private key OpenSSL can read ("))
            #expect(sentence.hasSuffix("); expected an RSA key in PKCS #8"))
            #expect(!sentence.contains("CANARY") && !sentence.contains("Q0FO"))
            expectNoKeyBytes(error)
        }
    }
}

/// Expects that the sentence and the debug description contain no eight consecutive characters of the shared key.
func expectNoKeyBytes(_ error: KeyError?, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let error else { return }
    expectNoKeyBytes(in: error.sentence + String(reflecting: error), sourceLocation: sourceLocation)
}
