import Testing

@testable import OpenSSLCrypto

@Suite struct PKCS11URITests {
    @Test func `token and object find a key`() throws {
        let uri = try PKCS11URI("pkcs11:token=fleet;object=driver")
        #expect(uri[.token] == Array("fleet".utf8))
        #expect(uri[.object] == Array("driver".utf8))
        #expect(uri[.id] == nil)
        #expect(uri.text == "pkcs11:token=fleet;object=driver")
    }

    @Test(arguments: [
        ("pkcs11:object=a;token=b", "pkcs11:token=b;object=a"),
        ("pkcs11:serial=0c10;id=%01%FF", "pkcs11:serial=0c10;id=%01%FF"),
        ("pkcs11:token=b;id=1a;type=private", "pkcs11:token=b;id=%31%61;type=private"),
        ("pkcs11:token=a%20b;object=%c3%a9", "pkcs11:token=a%20b;object=%C3%A9"),
        (
            "pkcs11:token=a%3Bb;object=x:[]@!$'()*+,=&-._~y",
            "pkcs11:token=a%3Bb;object=x%3A%5B%5D%40%21%24%27%28%29%2A%2B%2C%3D%26-._~y"
        ),
        ("pkcs11:model=m;manufacturer=n;token=t;object=o", "pkcs11:token=t;manufacturer=n;model=m;object=o"),
    ])
    func `equal URIs have one text, which is parsed again`(text: String, canonical: String) throws {
        let uri = try PKCS11URI(text)
        #expect(uri.text == canonical)
        #expect(try PKCS11URI(uri.text) == uri)
    }

    @Test(
        arguments: [
            ("", .otherScheme), ("PKCS11:token=a;object=b", .otherScheme), ("/etc/key.pem", .otherScheme),
            ("pkcs11:", .unknown(nil)), ("pkcs11:token=a", .noKey), ("pkcs11:object=a", .noToken),
            ("pkcs11:token=a;object=b;pin-value=1234", .secret("pin-value")),
            ("pkcs11:token=a;object=b?pin-value=1234", .secret("pin-value")),
            ("pkcs11:token=a;object=b&pin-value=1234", .secret("pin-value")),
            ("pkcs11:token=a;object=b%3Fpin-source=%2Fpin", .secret("pin-source")),
            ("pkcs11:token=a;object=b?pin-source=/pin", .secret("pin-source")),
            ("pkcs11:token=a;object=b?module-path=/m.so", .module("module-path")),
            ("pkcs11:token=a;object=b?module-name=m", .module("module-name")),
            ("pkcs11:token=a;object=b;library-version=1", .module("library-version")),
            ("pkcs11:token=a;object=b;slot-id=1", .slot("slot-id")),
            ("pkcs11:token=a;object=b;x-vendor=1", .unknown("x-vendor")),
            ("pkcs11:token=a;object=b;1234", .unknown(nil)), ("pkcs11:token=a;object=b;Token=c", .unknown(nil)),
            ("pkcs11:token=a;object=b?", .unknown(nil)), ("pkcs11:token=a;object=b;", .unknown(nil)),
            ("pkcs11:token=a;;object=b", .unknown(nil)), ("pkcs11:token=a;object=b;token=a", .repeated("token")),
            ("pkcs11:token=;object=b", .empty("token")), ("pkcs11:token;object=b", .empty("token")),
            ("pkcs11:token=a;object=b;type=public", .notPrivate),
            ("pkcs11:token=a b;object=b", .malformed("token")), ("pkcs11:token=a/b;object=b", .malformed("token")),
            ("pkcs11:token=a%2;object=b", .malformed("token")), ("pkcs11:token=a%+1;object=b", .malformed("token")),
            ("pkcs11:token=a%1-;object=b", .malformed("token")), ("pkcs11:token=%FF;object=b", .malformed("token")),
            ("pkcs11:token=a%00;object=b", .malformed("token")), ("pkcs11:token=a%0A;object=b", .malformed("token")),
            ("pkcs11:token=é;object=b", .malformed("token")),
            ("pkcs11:token=\(String(repeating: "a", count: 33));object=b", .tooLong("token", maxBytes: 32)),
            ("pkcs11:token=a;serial=12345678901234567;object=b", .tooLong("serial", maxBytes: 16)),
        ] as [(String, PKCS11URIError)])
    func `anything else is refused, and values are not shown`(text: String, error: PKCS11URIError) throws {
        #expect(throws: error) { try PKCS11URI(text) }
        #expect(!error.problem.contains("1234"))
        #expect(!error.problem.isEmpty)
    }

    @Test func `only the listed bytes need no encoding`() {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:[]@!$'()*+,=&".utf8)
        for byte in UInt8.min...UInt8(0x7F) where ![UInt8(ascii: ";"), UInt8(ascii: "?")].contains(byte) {
            let text = "pkcs11:token=t;object=a\(String(decoding: [byte], as: UTF8.self))b"
            #expect(((try? PKCS11URI(text)) != nil) == plain.contains(byte), "\(byte)")
        }
    }
}
