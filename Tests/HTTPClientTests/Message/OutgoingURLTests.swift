import Testing

@testable import HTTPClient

struct OutgoingURLTests {
    @Test(arguments: [
        ("https://idp.test", "idp.test", 443), ("https://IDP.test:8443/a/b?c=d", "idp.test", 8443),
        ("https://idp.test?x", "idp.test", 443), ("https://192.0.2.1/", "192.0.2.1", 443),
        ("https://[2001:DB8::1]:444/", "[2001:db8::1]", 444), ("https://a_b-c.1x-y.test/%7Ea", "a_b-c.1x-y.test", nil),
        ("http://localhost:8080/jwks", "localhost", 8080), ("http://127.0.0.1/", "127.0.0.1", 80),
        ("http://127.255.0.9:1/", "127.255.0.9", 1), ("http://[::1]/", "[::1]", 80),
        ("http://[0:0:0:0:0:0:0:1]:65535", "[0:0:0:0:0:0:0:1]", 65535), ("http://LOCALHOST/", "localhost", 80),
        ("https://idp.test/a@b:c", "idp.test", 443),
    ])
    func `https to any host and http to loopback are accepted`(text: String, host: String, port: UInt16?) throws {
        let url = try OutgoingURL(text)
        #expect(url.text == text)
        #expect(url.host == host)
        #expect(url.port == port ?? 443)
        #expect(url.endpoint == "\(host):\(port ?? 443)")
        #expect(url.isSecure == text.hasPrefix("https"))
    }

    @Test(arguments: [
        "http://idp.test/", "http://10.0.0.1/", "http://localhost.idp.test/", "http://127.0.0.1.idp.test/",
        "http://128.0.0.1/", "http://0.0.0.0/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/",
        "http://127x.test/",
    ])
    func `http to another machine is refused`(text: String) {
        #expect(throws: OutgoingURLError.plainBeyondLoopback) {
            try OutgoingURL(text)
        }
    }

    @Test(arguments: [
        ("", OutgoingURLError.otherScheme), ("idp.test", .otherScheme), ("//idp.test", .otherScheme),
        ("ftp://idp.test", .otherScheme), ("HTTPS://idp.test", .otherScheme), ("file:///etc/passwd", .otherScheme),
        ("https:/idp.test", .otherScheme), ("https://user@idp.test/", .credentials),
        ("https://user:word@idp.test/", .credentials), ("https://idp.test:443@other.test", .credentials),
        ("http://@localhost", .credentials), ("https://", .badHost), ("https:///path", .badHost),
        ("https://idp..test", .badHost), ("https://idp.test.", .badHost), ("https://-idp.test", .badHost),
        ("https://idp%2etest", .badHost), ("https://[::1", .badPort), ("https://[::1]x", .badHost),
        ("https://[fe80::1%25eth0]", .badHost), ("https://127.1", .badHost), ("https://2130706433", .badHost),
        ("https://0x7f.0.0.1", .badHost), ("https://127.0.0.01", .badHost), ("https://1.2.3.256", .badHost),
        ("https://1.2.3.4.5", .badHost), ("https://idp.0x1", .badHost), ("https://idp.test:", .badPort),
        ("https://idp.test:0", .badPort), ("https://idp.test:65536", .badPort), ("https://idp.test:+44", .badPort),
        ("https://idp.test:4 4", .forbiddenCharacter), ("https://idp.test/\u{E4}", .forbiddenCharacter),
        ("https://idp.test/\r\nHost: x", .forbiddenCharacter), ("https://idp.test\\@x", .forbiddenCharacter),
        ("https://idp.test/{a}", .forbiddenCharacter), ("https://idp.test/\0", .forbiddenCharacter),
        (" https://idp.test", .forbiddenCharacter), ("https://idp.test/#a", .fragment),
        ("https://idp.test/%", .badPercentEncoding), ("https://idp.test/%4", .badPercentEncoding),
        ("https://idp.test/%4g", .badPercentEncoding), ("https://a\(String(repeating: "b", count: 63))", .badHost),
    ])
    func `a malformed URL is refused with the rule that it breaks`(text: String, error: OutgoingURLError) {
        #expect(throws: error) { try OutgoingURL(text) }
    }

    @Test func `plain http to a named host is accepted, and to others refused`() throws {
        let url = try OutgoingURL(plain: "http://Metadata.test:81/x", toHosts: ["a.test", "metadata.test"])
        #expect(url.endpoint == "metadata.test:81" && !url.isSecure)
        for text in ["http://metadata.test.b.test/", "http://b.test/metadata.test", "http://169.254.169.254/"] {
            #expect(throws: OutgoingURLError.plainBeyondLoopback) {
                try OutgoingURL(plain: text, toHosts: ["metadata.test"])
            }
        }
        #expect(throws: OutgoingURLError.credentials) {
            try OutgoingURL(plain: "http://metadata.test@b.test/", toHosts: ["metadata.test"])
        }
    }

    @Test func `a URL of 2048 bytes is accepted; one more is refused`() throws {
        let text = "https://idp.test/" + String(repeating: "a", count: 2031)
        #expect(try OutgoingURL(text).text.utf8.count == OutgoingURL.maxBytes)
        #expect(throws: OutgoingURLError.tooLong(bytes: 2049)) { try OutgoingURL(text + "a") }
    }

    @Test(arguments: [
        (OutgoingURLError.otherScheme, "the URL begins neither with https:// nor with http://; "),
        (.tooLong(bytes: 3000), "the URL has 3000 bytes, more than 2048; "),
        (.forbiddenCharacter, "the URL holds a character that no URL has unless it is percent-encoded; "),
        (.badPercentEncoding, "the URL holds % without two hexadecimal digits after it; "),
        (.fragment, "the URL holds a fragment (#); "),
        (.credentials, "the URL holds a user name or a password; "),
        (.badHost, "the URL names no host; "),
        (.badPort, "the URL has no port from 1 to 65535 after its colon; "),
        (.plainBeyondLoopback, "the URL is plain http to another machine; "),
    ])
    func `each refusal is one sentence with what was expected`(error: OutgoingURLError, begin: String) {
        #expect(
            error.sentence == begin
                + "expected https://HOST[:PORT][/PATH], or http:// to localhost, 127.0.0.0/8 or [::1]")
    }
}
