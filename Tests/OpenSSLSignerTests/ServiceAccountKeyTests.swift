import Foundation
import OpenSSLSigner
import TestSupport
import Testing

@Suite struct ServiceAccountKeyTests {
    @Test func `Google Cloud's key file gives a signer its account and key`() throws {
        let signer = try load(try KeyFixture.json())
        #expect(signer.account == "rider@some-project.iam.gserviceaccount.com")
        #expect(signer.keyID == "0123456789abcdef")
        #expect(try signer.sign([1]) == KeyFixture.key().sign([1]))
    }

    @Test(arguments: [
        ("123-compute@developer.gserviceaccount.com", "Compute Engine's default service account"),
        ("some-project@appspot.gserviceaccount.com", "App Engine's default service account"),
        ("some-project@AppSpot.gserviceaccount.com", "App Engine's default service account"),
    ])
    func `a default service account is refused with the reason, unless allowed`(
        email: String, name: String
    ) throws {
        let json = try KeyFixture.json(["client_email": email])
        #expect(
            refusal(json)
                == "key.json: client_email is \(name), which usually holds the Editor role, for which Fleet Engine ignores "
                + "the claims that restrict a token; expected an account of its own with one Fleet Engine role "
                + "(allow_default_service_accounts: true overrides)")
        let signer = try ServiceAccountKey.load(json: json, source: "key.json", allowDefaultServiceAccounts: true)
        #expect(signer.account == email)
    }

    @Test(arguments: ["type", "client_email", "private_key_id", "private_key"])
    func `a member that is missing, empty or not a string is named`(field: String) throws {
        #expect(
            refusal(try KeyFixture.json([field: nil as Any?])) == "key.json: \(field) is missing; expected a string")
        let empty = "key.json: \(field) is empty; expected a string with a value"
        #expect(refusal(try KeyFixture.json([field: ""])) == empty)
        for value in [1, true, NSNull(), ["CANARY"], ["CANARY": "CANARY"]] as [Any] {
            #expect(refusal(try KeyFixture.json([field: value])) == "key.json: \(field) is not a string; expected one")
        }
    }

    @Test(arguments: ["authorized_user", "external_account", "impersonated_service_account"])
    func `another type of credential is refused by its name`(type: String) throws {
        let sentence = "key.json: type is \"\(type)\"; expected exactly \"service_account\""
        #expect(refusal(try KeyFixture.json(["type": type])) == sentence)
    }

    @Test(arguments: ["CANARY", "Service_Account", "service_account ", "service-account"])
    func `an unknown type is refused without being quoted`(type: String) throws {
        let sentence = "key.json: type is another; expected exactly \"service_account\""
        #expect(refusal(try KeyFixture.json(["type": type])) == sentence)
    }

    @Test(arguments: [
        "CANARY", "@", "a@", "@b", "a@b@c", "a b@c", " a@b", "a@b\n", "a\u{0}@b", "a@b\u{7F}", "ä@b", "a@\u{202E}b",
    ])
    func `an invalid e-mail address is refused without being quoted`(email: String) throws {
        let sentence = "key.json: client_email is not a service account's address; expected NAME@DOMAIN"
        #expect(refusal(try KeyFixture.json(["client_email": email])) == sentence)
    }

    @Test(arguments: [" ", "CANARY ", "a\nb", "ü", "\u{0}", String(repeating: "a", count: 129)])
    func `an invalid key id is refused without being quoted`(keyID: String) throws {
        let sentence = "key.json: private_key_id is not a key's id; expected 1 to 128 visible ASCII characters"
        #expect(refusal(try KeyFixture.json(["private_key_id": keyID])) == sentence)
    }

    @Test func `a key id of 128 characters passes`() throws {
        let keyID = String(repeating: "~", count: 128)
        #expect(try load(try KeyFixture.json(["private_key_id": keyID])).keyID == keyID)
    }

    @Test func `an unusable private key is refused with its member and reason`() throws {
        let ec = try OpenSSLCommand.newKey("EC", option: "ec_paramgen_curve:P-256")
        let short = try OpenSSLCommand.newKey("RSA", option: "rsa_keygen_bits:1024")
        let cases = [
            ("CANARY", "is not PEM: it does not begin with a -----BEGIN line; expected \(Self.lines)"),
            (
                String(try KeyFixture.pem().dropLast(30)),
                "is truncated: a -----BEGIN line has no -----END line; expected \(Self.lines)"
            ),
            (
                try KeyFixture.pem().replacingOccurrences(of: "\n", with: "\\n"),
                "is not PEM: its line breaks are written as the two characters \\n; expected real line breaks"
            ),
            (
                try KeyFixture.pem().replacingOccurrences(of: "\n", with: ""),
                "is not PEM: its line breaks are missing; expected \(Self.lines), each on its own line"
            ),
            (
                try KeyFixture.key().publicKey().object.pem(),
                "holds a public key; expected an unencrypted PRIVATE KEY (PKCS #8)"
            ),
            (
                try KeyFixture.pem() + "CANARY",
                "has data after its PEM block; expected one PRIVATE KEY and nothing else"
            ),
            (ec, "is a key of type EC; expected RSA, which RS256 signs with"),
            (short, "is an RSA key of 1024 bits; expected at least 2048"),
        ]
        for (pem, problem) in cases {
            #expect(refusal(try KeyFixture.json(["private_key": pem])) == "key.json: private_key \(problem)")
        }
    }

    private static let lines = "the lines -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----"
    private static let expected = "expected a service account's key as Google Cloud makes it"

    @Test(arguments: ["[]", "\"CANARY\"", "1", "null"])
    func `a file that is not a JSON object is refused`(text: String) {
        #expect(refusal(Array(text.utf8)) == "key.json: the file is not a JSON object; \(Self.expected)")
    }

    @Test(arguments: [
        ("CANARY", "has something other than a value at byte 0; expected a value"),
        ("\u{0}", "has something other than a value at byte 0; expected a value"),
        ("{\"type\"}", "has something other than a colon at byte 7; expected one after a member's name"),
        ("{\"type\":\"CANARY\"}x", "has something after its value at byte 17; expected the end"),
    ])
    func `a file that is not JSON is refused with the place`(text: String, reason: String) {
        #expect(refusal(Array(text.utf8)) == "key.json: the file is not JSON: it \(reason)")
    }

    @Test(arguments: ["", " ", "\r\n\t\n"])
    func `an empty file is named as empty`(text: String) {
        #expect(refusal(Array(text.utf8)) == "key.json: the file is empty; \(Self.expected)")
    }

    @Test func `a PEM file is refused as one that is not JSON`() throws {
        #expect(
            refusal(Array(try KeyFixture.pem().utf8)) == "key.json: the file is PEM, not JSON; \(Self.expected)")
    }

    @Test func `a wrapped key file is refused with the command that unpacks it`() throws {
        let base64 = Data(try KeyFixture.json()).base64EncodedString()
        for lines in [
            base64, base64 + "\n", Data(try KeyFixture.json()).base64EncodedString(options: .lineLength64Characters),
        ] {
            #expect(
                refusal(Array(lines.utf8)) == "key.json: the file is base64: unpack it by base64 -d; \(Self.expected)")
        }
        for (answer, name, path) in [
            (#"{"name":"projects/p/serviceAccounts/a/keys/k","privateKeyData":"\#(base64)"}"#, "IAM", "privateKeyData"),
            (#"{"lease_id":"gcp/key/k","data":{"private_key_data":"\#(base64)"}}"#, "Vault", "data.private_key_data"),
        ] {
            let command = "jq -r .\(path) FILE | base64 -d"
            #expect(
                refusal(Array(answer.utf8))
                    == "key.json: the file is an answer of \(name): unpack its key file by \(command); \(Self.expected)"
            )
        }
        // A token and words are not base64.
        for text in ["eyJhbGciOiJSUzI1NiJ9.e30.AA", "eyes only"] {
            #expect(refusal(Array(text.utf8))?.contains("is not JSON") == true)
        }
    }

    @Test func `a key file in another encoding is refused with the cause`() throws {
        let json = try KeyFixture.json()
        #expect(
            refusal([0xEF, 0xBB, 0xBF] + json)
                == "key.json: the file begins with a UTF-8 byte order mark; expected UTF-8 without it")
        let littleEndian = json.flatMap { byte -> [UInt8] in [byte, 0] }
        let bigEndian = json.flatMap { byte -> [UInt8] in [0, byte] }
        for text in [littleEndian, bigEndian, [0xFF, 0xFE] + littleEndian, [0xFE, 0xFF] + bigEndian] {
            #expect(refusal(text) == "key.json: the file is UTF-16 text; expected UTF-8")
        }
    }

    @Test(arguments: ["client_email", "private_key", "project_id", "extra"])
    func `any repeated member is refused`(name: String) throws {
        let json = try #require(String(bytes: try KeyFixture.json(["extra": ["a": ["extra": 1]]]), encoding: .utf8))
        let repeated = Array((json.dropLast() + ", \"\(name)\" : \"CANARY\"}").utf8)
        let sentence = "repeats a member's name at byte \(json.utf8.count + 1); expected each name once"
        #expect(refusal(repeated) == "key.json: the file \(sentence)")
        #expect(refusal(Array(json.utf8)) == nil)
    }

    @Test(arguments: ["type", "client_email", "private_key_id", "private_key"])
    func `a repeated member is refused even if written with escapes`(name: String) throws {
        let json = try #require(String(bytes: try KeyFixture.json(), encoding: .utf8))
        let escaped = name.unicodeScalars.map { "\\u00\(String($0.value, radix: 16))" }.joined()
        #expect(
            refusal(Array((json.dropLast() + ",\"\(escaped)\":\"CANARY\"}").utf8))
                == "key.json: the file repeats a member's name at byte \(json.utf8.count); expected each name once")
        let renamed = json.replacingOccurrences(of: "\"\(name)\"", with: "\"\(escaped)\"")
        #expect(renamed != json)
        #expect(refusal(Array(renamed.utf8)) == nil)
    }

    @Test func `a member that is repeated inside another is refused`() throws {
        let json = try #require(String(bytes: try KeyFixture.json(), encoding: .utf8))
        let place = json.utf8.count + #""extra":[{"a":1,"#.utf8.count
        #expect(
            refusal(Array((json.dropLast() + ",\"extra\":[{\"a\":1,\"a\":\"CANARY\"}]}").utf8))
                == "key.json: the file repeats a member's name at byte \(place); expected each name once")
    }

    @Test func `a key file truncated anywhere is refused without quoting the key`() throws {
        let json = try KeyFixture.json()
        for count in stride(from: 1, to: json.count, by: 97) {
            let sentence =
                "key.json: the file is truncated: its JSON ends early, at byte \(count); \(Self.expected)"
            #expect(refusal(Array(json.prefix(count))) == sentence)
        }
    }

    private func load(_ json: [UInt8]) throws(CredentialError) -> RS256Signer {
        try ServiceAccountKey.load(json: json, source: "key.json", allowDefaultServiceAccounts: false)
    }

    /// The sentence with which the file is refused; it must contain no part of the key or of a planted text.
    private func refusal(_ json: [UInt8]) -> String? {
        do throws(CredentialError) {
            _ = try load(json)
            return nil
        } catch {
            let everything = error.sentence + String(reflecting: error)
            #expect(!everything.contains("CANARY"))
            #expect(!error.sentence.contains { $0.isNewline })
            expectNoKeyBytes(in: everything)
            return error.sentence
        }
    }
}
