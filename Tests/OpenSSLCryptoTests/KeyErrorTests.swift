import Testing

@testable import OpenSSLCrypto

@Suite struct KeyErrorTests {
    private static let failure = OpenSSLFailure(operation: "sign", reason: "no memory")

    private static let lines = "the lines -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----"
    private static let sentences: [(KeyError, String)] = [
        (.notPEM(.notText(.empty)), "is empty; expected \(lines)"),
        (
            .notPEM(.notText(.byteOrderMark)), "begins with a UTF-8 byte order mark; expected UTF-8 without it"
        ),
        (.notPEM(.notText(.utf16)), "is UTF-16 text; expected UTF-8"),
        (.notPEM(.notUTF8), "is not PEM: it has bytes that are not UTF-8; expected \(lines)"),
        (.notPEM(.noBlock), "is not PEM: it does not begin with a -----BEGIN line; expected \(lines)"),
        (.notPEM(.truncated), "is truncated: a -----BEGIN line has no -----END line; expected \(lines)"),
        (
            .notPEM(.escapedLineBreaks),
            "is not PEM: its line breaks are written as the two characters \\n; expected real line breaks"
        ),
        (
            .notPEM(.noLineBreaks),
            "is not PEM: its line breaks are missing; expected \(lines), each on its own line"
        ),
        (
            .otherLabel(.encryptedPrivateKey),
            "holds an encrypted private key; expected an unencrypted PRIVATE KEY (PKCS #8)"
        ),
        (
            .otherLabel(.rsaPrivateKey),
            "holds an RSA PRIVATE KEY (PKCS #1), which `openssl pkcs8 -topk8 -nocrypt` converts; "
                + "expected an unencrypted PRIVATE KEY (PKCS #8)"
        ),
        (.otherLabel(.ecPrivateKey), "holds an EC PRIVATE KEY; expected an unencrypted PRIVATE KEY (PKCS #8)"),
        (.otherLabel(.dsaPrivateKey), "holds a DSA PRIVATE KEY; expected an unencrypted PRIVATE KEY (PKCS #8)"),
        (
            .otherLabel(.openSSHPrivateKey),
            "holds an OPENSSH PRIVATE KEY; expected an unencrypted PRIVATE KEY (PKCS #8)"
        ),
        (.otherLabel(.publicKey), "holds a public key; expected an unencrypted PRIVATE KEY (PKCS #8)"),
        (.otherLabel(.rsaPublicKey), "holds a public key; expected an unencrypted PRIVATE KEY (PKCS #8)"),
        (.otherLabel(.certificate), "holds a certificate; expected an unencrypted PRIVATE KEY (PKCS #8)"),
        (.otherLabel(.unknown), "holds a PEM block of another kind; expected an unencrypted PRIVATE KEY (PKCS #8)"),
        (.trailingData, "has data after its PEM block; expected one PRIVATE KEY and nothing else"),
        (
            .unreadable(failure),
            "is not a private key OpenSSL can read (no memory); expected an RSA key in PKCS #8"
        ),
        (.notRSA(algorithm: "EC"), "is a key of type EC; expected RSA, which RS256 signs with"),
        (.tooShort(bits: 1024), "is an RSA key of 1024 bits; expected at least 2048"),
        (
            .probeFailed,
            "signs what its own public half does not verify; expected a sound key, so create a new one"
        ),
        (
            .inconsistent, "has numbers that do not fit together; expected a sound key, so create a new one"
        ),
        (.failure(failure), "cannot be used: OpenSSL could not sign: no memory"),
        (.unavailable(reason: "the token is away"), "cannot be used: the token is away"),
    ]

    @Test func `every reason has its sentence`() {
        for (error, problem) in Self.sentences {
            #expect(error.problem == problem)
            #expect(error.sentence == "the private key \(problem)")
            #expect("\(error)" == error.sentence)
        }
        #expect(Set(Self.sentences.map { ordinal($0.0) }) == Set(0...9))
    }

    @Test func `every label of a PEM block has its sentence`() {
        let labels = Self.sentences.compactMap { error, _ in
            if case .otherLabel(let label) = error { label } else { nil }
        }
        #expect(labels == PEMLabel.allCases)
    }

    /// Does not compile when a case is added, as a reminder to add its sentence above.
    private func ordinal(_ error: KeyError) -> Int {
        switch error {
        case .notPEM: 0
        case .otherLabel: 1
        case .trailingData: 2
        case .unreadable: 3
        case .notRSA: 4
        case .tooShort: 5
        case .probeFailed: 6
        case .failure: 7
        case .unavailable: 8
        case .inconsistent: 9
        }
    }
}
