import Glibc
import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// The client's address behind trusted proxies at 10.0.0.0/8 and 2001:db8:f::/48.
struct ForwardedAddressTests {
    private static let external = "198.51.100.9"
    private static let proxy = "10.0.0.1"

    private func client(
        _ field: ForwardedAddress.Field, peer: String? = proxy, _ lines: [String], trustsUnixSockets: Bool = false
    ) throws -> String? {
        let trusted = try ["10.0.0.0/8", "2001:db8:f::/48"].map { try AddressRange($0) }
        let finder = ForwardedAddress(trusting: trusted, trustsUnixSockets: trustsUnixSockets, reading: field)
        let peer = try peer.map { try #require(IPAddress($0)) }
        return finder.client(peer: peer, lines: lines.map { Array($0.utf8) })?.description
    }

    @Test(arguments: [ForwardedAddress.Field.forwarded, .xForwardedFor])
    func `an untrusted peer is the client, whatever it sent`(field: ForwardedAddress.Field) throws {
        #expect(try client(field, peer: Self.external, ["for=1.1.1.1"]) == Self.external)
        #expect(try client(field, peer: Self.external, ["1.1.1.1"]) == Self.external)
        #expect(try client(field, peer: Self.proxy, []) == Self.proxy)
    }

    @Test func `a unix socket's peer is a proxy only if configured so`() throws {
        #expect(try client(.xForwardedFor, peer: nil, ["1.1.1.1"]) == nil)
        #expect(try client(.xForwardedFor, peer: nil, ["1.1.1.1"], trustsUnixSockets: true) == "1.1.1.1")
        #expect(try client(.xForwardedFor, peer: nil, ["x"], trustsUnixSockets: true) == nil)
        #expect(try client(.xForwardedFor, peer: nil, ["1.1.1.1, 10.0.0.7"], trustsUnixSockets: true) == "1.1.1.1")
    }

    @Test(
        arguments: [
            (["198.51.100.9"], "198.51.100.9"), (["1.1.1.1, 198.51.100.9"], "198.51.100.9"),
            (["198.51.100.9, 10.0.0.2, 10.0.0.3"], "198.51.100.9"), (["1.1.1.1,198.51.100.9,10.0.0.3"], "198.51.100.9"),
            (["198.51.100.9", "10.0.0.2", "10.0.0.3"], "198.51.100.9"), (["1.1.1.1", "198.51.100.9"], "198.51.100.9"),
            (["10.0.0.2, 10.0.0.3"], "10.0.0.2"), (["2001:db8::1, 2001:db8:f::2"], "2001:db8::1"),
            (["[2001:db8::1]:443, [2001:db8:f::2]"], "2001:db8::1"), (["198.51.100.9:1234"], "198.51.100.9"),
            (["::ffff:198.51.100.9, ::ffff:10.0.0.2"], "198.51.100.9"),
            ([" \t198.51.100.9\t , 10.0.0.2 "], "198.51.100.9"),
            (["198.51.100.9,"], external), (["198.51.100.9", ""], external), (["198.51.100.9 , ,\t, "], external),
            (["198.51.100.9, , 10.0.0.2"], external), (["\"198.51.100.9\""], external),
            (["\"[2001:db8::1]:443\""], "2001:db8::1"),
            // An invalid address stops the walk at the proxy that wrote it.
            ([""], proxy), ([","], proxy), (["198.51.100.9, unknown, 10.0.0.2"], "10.0.0.2"),
            (["198.51.100.9, _hidden"], proxy), (["198.51.100.9 10.0.0.2"], proxy), (["\""], proxy),
            (["\"\""], proxy), (["\"198.51.100.9"], proxy),
            (["for=198.51.100.9"], proxy), (["198.51.100.9:"], proxy), (["198.51.100.9:123456"], proxy),
            (["198.51.100.9:a"], proxy), (["[2001:db8::1"], proxy), (["[2001:db8::1]443"], proxy), (["[]"], proxy),
            (["[198.51.100.9]"], proxy), (["2001:db8::1]"], proxy), (["198.51.100.09"], proxy),
            (["fe80::1%eth0"], proxy),
            (["198.51.100.9, evil.example"], proxy), (["198.51.100.9;10.0.0.2"], proxy), (["é"], proxy),
        ] as [([String], String)])
    func `X-Forwarded-For yields the last address that is not trusted`(lines: [String], expected: String) throws {
        #expect(try client(.xForwardedFor, lines) == expected)
    }

    @Test(
        arguments: [
            (["for=198.51.100.9"], external), (["For=\"198.51.100.9:47011\";proto=https;by=203.0.113.43"], external),
            (["for=1.1.1.1, for=198.51.100.9"], external), (["for=198.51.100.9, for=10.0.0.2,for=10.0.0.3"], external),
            (["for=198.51.100.9", "for=10.0.0.2"], external), (["proto=http;FOR=198.51.100.9"], external),
            (["for=\"[2001:db8::1]\""], "2001:db8::1"),
            (["for=\"[2001:db8::1]:443\", for=\"[2001:db8:f::2]:_p.-x\""], "2001:db8::1"),
            (["for=\"198\\.51.100.\\9\""], external), ([";for=198.51.100.9;;"], external),
            (["for=198.51.100.9;x=\"a, for=1.1.1.1, \\\" b\""], external),
            (["for=198.51.100.9;x=\"a\\\\\", for=10.0.0.2"], external), (["for=198.51.100.9;x=\"\""], external),
            // Not of the grammar, but common.
            (["for=198.51.100.9:80"], external), (["for=[2001:db8::1]"], "2001:db8::1"),
            (["for=[2001:db8::1]:443;proto=https"], "2001:db8::1"), (["for=2001:db8::1"], "2001:db8::1"),
            (["for=\"2001:db8::1\""], "2001:db8::1"), (["for=198.51.100.9; proto=http"], external),
            (["for=198.51.100.9, "], external), (["for=198.51.100.9", " , "], external),
            // Missing, hidden or malformed: only the proxy that wrote it is known.
            (["for=198.51.100.9, for=unknown"], proxy), (["for=198.51.100.9, for=_hidden"], proxy),
            (["for=198.51.100.9, for=\"_hidden:80\""], proxy),
            (["for=198.51.100.9, for=unknown, for=10.0.0.2"], "10.0.0.2"),
            (["for=198.51.100.9, proto=https"], proxy), ([""], proxy), ([";"], proxy),
            (["for=198.51.100.9;for=198.51.100.9"], proxy), (["for=198.51.100.9 ;proto=http"], proxy),
            (["for =198.51.100.9"], proxy), (["for= 198.51.100.9"], proxy), (["for="], proxy), (["for=\"\""], proxy),
            (["for"], proxy), (["=198.51.100.9"], proxy), (["for=198.51.100.9:80:80"], proxy),
            (["for=[2001:db8::1"], proxy), (["for=\"[2001:db8::1\""], proxy),
            (["for=\"[198.51.100.9]\""], proxy), (["for=\"198.51.100.9:\""], proxy),
            (["for=\"198.51.100.9:_\""], proxy),
            (["for=\"198.51.100.9:100000\""], proxy), (["for=\"198.51.100.9"], proxy), (["for=198.51.100.9\""], proxy),
            (["for=\"198.51.100.9\"x"], proxy), (["for=\"198.51.100.9\\"], proxy), (["for=\"198.51.100.9\\\""], proxy),
            (["198.51.100.9"], proxy), (["for=198.51.100.9, for=\", for=10.0.0.2"], "10.0.0.2"),
        ] as [([String], String)])
    func `Forwarded yields the last address that is not trusted`(lines: [String], expected: String) throws {
        #expect(try client(.forwarded, lines) == expected)
    }

    @Test(arguments: UInt64(1)...8)
    func `text from a client cannot change what the proxy appended`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "\\", ",", ";", "=", "for=", "for=\"", "1.1.1.1", "10.0.0.9", "[::1]", " ", "\t", "x=", "é",
        ]
        for _ in 0..<500 {
            let count = Int.random(in: 0...12, using: &generator)
            let prefix = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for suffix in ["for=198.51.100.9", "for=\"198.51.100.9:1\"", "by=\"a\\\",b\";for=198.51.100.9;x=\"1,2\""] {
                #expect(try client(.forwarded, ["\(prefix), \(suffix)"]) == Self.external, "\(prefix)")
                #expect(try client(.forwarded, ["\(prefix), \(suffix), for=10.0.0.2"]) == Self.external, "\(prefix)")
                #expect(try client(.forwarded, [prefix, suffix]) == Self.external, "\(prefix)")
            }
            #expect(try client(.xForwardedFor, ["\(prefix), 198.51.100.9, 10.0.0.2"]) == Self.external, "\(prefix)")
        }
    }

    @Test func `the time for a hostile field grows as its length`() throws {
        let hostile: [(start: String, repeated: String, end: String)] = [
            ("", "10.0.0.2,", ""), ("", ",", ""), ("", "\\", "\""), ("", "\\\"", ""), ("for=\"", "\\\\", "\""),
            ("", "for=10.0.0.2,", ""), ("", ";", ""), ("", "[", ""),
        ]
        for (start, repeated, end) in hostile {
            for field in [ForwardedAddress.Field.forwarded, .xForwardedFor] {
                func time(_ length: Int) throws -> UInt64 {
                    let line = start + String(repeating: repeated, count: length / repeated.utf8.count) + end
                    var least = UInt64.max
                    for _ in 1...5 {
                        let began = processorTime()
                        let found = try client(field, [line])
                        least = min(least, processorTime() - began)
                        #expect(found?.hasPrefix("10.0.0.") == true)
                    }
                    return least
                }
                // 16 times as long; with the square of the length it would take 256 times.
                #expect(try time(32_000) < 64 * time(2000), "\(field) \(repeated)")
            }
        }
    }

    /// The processor's time for this thread, in nanoseconds, which no neighbour makes longer.
    private func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    @Test func `only the configured field determines a request's client`() throws {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nForwarded: for=1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n\r\n"
        let bytes = Array(text.utf8)
        let head = try #require(parse(bytes).head)
        let trusted = [try AddressRange(Self.proxy)]
        for (field, expected) in [(ForwardedAddress.Field.forwarded, "1.1.1.1"), (.xForwardedFor, "2.2.2.2")] {
            let finder = ForwardedAddress(trusting: trusted, trustsUnixSockets: false, reading: field)
            let found = bytes.withUnsafeBytes {
                finder.client(of: HTTPRequest(bytes: $0, head: head, peer: IPAddress(Self.proxy), requestID: 0))
            }
            #expect(found?.description == expected)
        }
    }
}
