import Testing

@Suite struct CORSSettingTests {
    private static let ipv4 = "has an IPv4 address that is not four numbers up to 255 without leading zeros"
    private static let ipv6 = "has an IPv6 address in another form than RFC 5952's"
    private static let character = "has a character in its host that browsers do not write there"

    @Test(arguments: [
        ("*", "is not the origin of a web page"), ("null", "is not the origin of a web page"),
        ("app.example.com", "is not the origin of a web page"),
        ("HTTPS://a.example", "is not the origin of a web page"),
        ("file://a.example", "is not the origin of a web page"), ("://a.example", "is not the origin of a web page"),
        ("1a://localhost", "is not the origin of a web page"), ("a_b://localhost", "is not the origin of a web page"),
        ("Capacitor://localhost", "is not the origin of a web page"),
        ("capacitor:localhost", "is not the origin of a web page"),
        ("capacitor:/localhost", "is not the origin of a web page"),
        ("capacitor://", "has no host"), ("capacitor://localhost/", "has a slash after its host"),
        ("ionic://localhost:0", "has a port that begins with a zero"),
        ("https://", "has no host"), ("https://:8443", "has no host"),
        ("https://a.example/", "has a slash after its host"), ("https://a.example/x", "has a slash after its host"),
        ("https://A.example", "is not in lower case"),
        ("https://*.example", character), ("https://user@a.example", character), ("https://a.example?x", character),
        ("https://a%2Eexample", character), ("https://b\u{FC}cher.example", character),
        ("https://a b.example", character),
        ("https://a:b:1", character), ("https://::1", character),
        ("https://.example", "has an empty label in its host"),
        ("https://a..example", "has an empty label in its host"),
        ("https://a.example.", "has an empty label in its host"),
        ("https://1.2.3", ipv4), ("https://1.2.3.04", ipv4), ("https://1.2.3.256", ipv4), ("https://2130706433", ipv4),
        ("https://[::1", ipv6), ("https://[::1]x", ipv6), ("https://[0:0::1]", ipv6), ("https://[::A]", ipv6),
        ("https://[::ffff:1.2.3.4]", ipv6), ("https://[]", ipv6),
        ("https://a.example:", "has no number after its colon"),
        ("https://a.example:x", "has no number after its colon"),
        ("https://a.example:+1", "has no number after its colon"),
        ("https://a.example:443", "has the default port, which browsers leave out"),
        ("http://a.example:80", "has the default port, which browsers leave out"),
        ("http://[::1]:80", "has the default port, which browsers leave out"),
        ("https://a.example:0443", "has a port that begins with a zero"),
        ("https://a.example:0", "has a port that begins with a zero"),
        ("https://a.example:65536", "has a port over 65535"),
        ("https://a.example:99999999999999999999", "has a port over 65535"),
    ])
    func `an origin that no browser would send is refused`(origin: String, problem: String) {
        #expect(
            refusal(of: "cors: {allowed_origins: [\"\(origin)\"]}", environment: withCredentials)
                == "token-provider.yaml:1:26: cors.allowed_origins: \"\(origin)\" \(problem); expected an origin as "
                + "browsers write it: SCHEME://HOST or SCHEME://HOST:PORT in lower case, without a path"
        )
    }

    @Test(arguments: [
        "https://app.example.com", "http://localhost:5173", "https://a_b.example:8443", "https://xn--bcher-kva.example",
        "http://app.example.com:443", "https://app.example.com:80", "https://a:65535", "http://127.0.0.1:3000",
        "https://1.a", "https://[::1]", "http://[2001:db8::1]:8080", "capacitor://localhost", "ionic://localhost",
        "app+web-1.2://localhost:80", "moz-extension://0b2ad4f1-7b7c-4a5e-9d2c-2a1f", "tauri://localhost",
        "safari-web-extension://5A3F-C0DE",
    ])
    func `an origin as browsers send it is accepted`(origin: String) throws {
        let environment = withCredentials.merging(["TOKEN_PROVIDER_CORS_ALLOWED_ORIGINS": origin]) { $1 }
        #expect(try resolve(environment: environment).configuration.cors.allowedOrigins == [origin])
    }

    @Test(arguments: [("*", "does not include Authorization"), ("X Y", "is not the name of a header")])
    func `allowed headers must be header names, not a wildcard`(name: String, problem: String) {
        #expect(
            refusal(of: "cors: {allowed_headers: [\"\(name)\"]}", environment: withCredentials)
                == "token-provider.yaml:1:26: cors.allowed_headers: \"\(name)\" \(problem); "
                + "expected the name of an HTTP header")
    }
}
