import Testing

@testable import HTTPClient

struct OutgoingProxyTests {
    @Test(arguments: [
        ("http://proxy.test:3128", "proxy.test:3128", ""), ("http://PROXY.test:3128/", "proxy.test:3128", ""),
        ("proxy.test:1", "proxy.test:1", ""), ("http://10.0.0.1:80", "10.0.0.1:80", ""),
        ("http://[2001:DB8::1]:3128", "[2001:db8::1]:3128", ""), ("http://localhost:65535", "localhost:65535", ""),
        ("http://user:canary@proxy.test:3128", "proxy.test:3128", "user:canary@"),
        ("user:p%40s%2Fs:~@proxy.test:3128/", "proxy.test:3128", "user:p%40s%2Fs:~@"),
        ("http://user@proxy.test:3128", "proxy.test:3128", "user@"), ("HTTP://proxy.test:1", "proxy.test:1", ""),
        ("http://proxy.test", "proxy.test:1080", ""), ("Http://u:canary@proxy/", "proxy:1080", "u:canary@"),
        ("http://[2001:db8::1]", "[2001:db8::1]:1080", ""), ("http://192.0.2.1/", "192.0.2.1:1080", ""),
    ])
    func `host and port make a proxy; no text shows its credentials`(
        text: String, endpoint: String, credentials: String
    ) throws {
        let proxy = try #require(OutgoingProxy(text))
        #expect(proxy.endpoint == endpoint)
        #expect(proxy.text == "http://\(credentials)\(endpoint)")
        var dumped = "\(proxy)\(String(reflecting: proxy))"
        dump(Egress(through: proxy), to: &dumped)
        #expect(!dumped.contains("canary") && dumped.contains(endpoint))
    }

    @Test(arguments: [
        "", "http://", "/", "http://2001:db8::1", "http://proxy.test/path", "http://proxy.test?x", "http://proxy.test:",
        "https://proxy.test:443", "socks5://proxy.test:1080",
        "http://proxy.test:0", "http://proxy.test:65536", "http://proxy.test:03128", "http://proxy.test:3128/path",
        "http://proxy.test:3128//", "http://proxy.test:3128?x", "http://proxy.test:3128#x", "http:proxy.test:3128",
        "http://user:pa/ss@proxy.test:1", "http://user:pa@ss@proxy.test:1", "http://us er@proxy.test:1",
        "http://user:\u{E4}@proxy.test:1", "http://user\r\n@proxy.test:1", "http://127.1:1",
        "http://http://proxy.test:1",
    ])
    func `anything else is none`(text: String) {
        #expect(OutgoingProxy(text) == nil)
    }

    @Test(arguments: [
        (
            "example.com", ["example.com", "a.example.com", "a.b.EXAMPLE.com"],
            ["badexample.com", "example.com.test", "com"]
        ),
        (".example.com", ["example.com", "a.example.com"], ["aexample.com"]),
        ("*.example.com", ["example.com", "a.example.com"], ["aexample.com"]),
        ("example.com:8443", ["example.com:8443", "a.example.com:8443"], ["example.com", "example.com:443"]),
        ("*.example.com:443", ["a.example.com", "a.example.com:443"], ["a.example.com:8443"]),
        ("192.0.2.1:8443", ["192.0.2.1:8443", "[::ffff:192.0.2.1]:8443"], ["192.0.2.1", "192.0.2.2:8443"]),
        ("[2001:db8::1]:8443", ["[2001:db8::1]:8443"], ["[2001:db8::1]"]),
        ("::ffff:192.0.2.0/120", ["[::ffff:192.0.2.9]"], ["192.0.2.9", "[::ffff:192.0.3.9]"]),
        ("*", ["example.com", "192.0.2.1", "[2001:db8::1]"], []),
        ("192.0.2.1", ["192.0.2.1"], ["192.0.2.2", "[::1.2.3.4]"]),
        ("10.1.0.0/15", ["10.0.0.1", "10.1.255.255", "[::ffff:10.1.2.3]"], ["10.2.0.0", "110.0.0.1"]),
        ("10.1.2.3/0", ["8.8.8.8"], ["[2001:db8::1]", "example.com"]),
        ("192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6"]), ("192.0.2.128/25", ["192.0.2.255"], ["192.0.2.127"]),
        ("2001:db8::/33", ["[2001:db8:7fff::]"], ["[2001:db8:8000::]", "10.0.0.1"]),
        ("[2001:db8::1]", ["[2001:DB8:0::1]"], ["[2001:db8::2]"]),
    ])
    func `hosts of an exception are reached without the proxy`(text: String, hosts: [String], others: [String]) throws {
        var proxy = try #require(OutgoingProxy("http://proxy.test:3128"))
        proxy.exceptions = [try #require(ProxyException("other.test")), try #require(ProxyException(text))]
        for host in hosts { #expect(!proxy.carries(try OutgoingURL("https://\(host)/"))) }
        for host in others { #expect(proxy.carries(try OutgoingURL("https://\(host)/"))) }
    }

    @Test(arguments: [
        "", ".", "a b", "*.", "*.*", "*:443", "a.*.test", "*example.com", "example.com:0", "example.com:65536",
        "example.com:", "example.com:https", "10.0.0.0/8:443", "10.0.0.0:443/8", "2001:db8::1:443]", "example.com/8",
        "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/",
        "10.0.0/8", "2001:db8::/129", "10.0.0.0/8/8", "http://example.com", "..example.com",
    ])
    func `a text that names no hosts is not an exception`(text: String) {
        #expect(ProxyException(text) == nil)
    }

    @Test func `this machine and plain http are reached without a proxy`() throws {
        let proxy = try #require(OutgoingProxy("http://proxy.test:3128"))
        for url in [
            "https://localhost/", "https://127.0.0.9:8443/", "https://[::1]/", "http://localhost:1/",
            "https://a.LocalHost/", "https://a.b.localhost:8443/", "https://[::ffff:127.0.0.1]/",
            "https://[::FFFF:7f01:203]:1/",
        ] {
            #expect(!proxy.carries(try OutgoingURL(url)), "\(url)")
        }
        for host in ["localhost.test", "alocalhost", "[::ffff:128.0.0.1]", "[::127.0.0.1]", "[::1:ffff:7f00:1]"] {
            #expect(proxy.carries(try OutgoingURL("https://\(host)/")), "\(host)")
        }
        // Some resolvers ask a name server for it.
        #expect(throws: OutgoingURLError.plainBeyondLoopback) { try OutgoingURL("http://a.localhost/") }
        for host in ["metadata.google.internal", "169.254.169.254", "example.com"] {
            #expect(!proxy.carries(try OutgoingURL(plain: "http://\(host)/", toHosts: nil)), "\(host)")
            #expect(proxy.carries(try OutgoingURL("https://\(host)/")), "\(host)")
        }
    }
}
