import TestSupport
import HTTPServer
import Testing

/// Connections that are slow, many, malformed or aborted.
struct ConnectionTests {
    private func server(configure: (inout ServerSettings) -> Void = { _ in }) throws -> TLSTestServer {
        try TLSTestServer(configure: configure)
    }

    @Test func `a handshake and a request sent byte by byte are answered`() throws {
        #expect(try server().run("bytewise") == "HTTP/1.1 200 OK")
    }

    @Test(arguments: [1, 1000, 20_000])
    func `requests sent in one write are all answered`(count: Int) throws {
        #expect(try server().run("pipeline", "\(count)") == "\(count)")
    }

    @Test func `a slow reader gets a large answer and then the next`() throws {
        #expect(try server().run("slow") == "0 HTTP/1.1 200 OK")
    }

    // The first is for the handshake. If the request comes later, the ticket goes by itself.
    @Test func `a ticket, an answer and the end share a segment`() throws {
        let segments = try #require(Int(try server().run("segments")))
        #expect((2...3).contains(segments))
    }

    // A client may send nothing before the server does. The kernel would hold each ticket for 200 ms.
    @Test func `a ticket does not wait for a request`() throws {
        let fastest = try #require(Int(try server().run("ticket")))
        #expect(fastest < 150)
    }

    @Test(arguments: ["silent", "half", "dribble"])
    func `a missing or slow handshake is closed silently at its deadline`(client: String) throws {
        let server = try server { $0.timeouts.head = 300_000_000 }
        #expect(try server.run(client) == "0 end")
    }

    @Test func `an abandoned handshake is closed at its deadline`() throws {
        let server = try server { $0.timeouts.head = 300_000_000 }
        #expect(try server.run("midway") == "end")
        #expect(try server.run("bytewise") == "HTTP/1.1 200 OK")
    }

    @Test func `a handshake of 100 kB is ended before it is received`() throws {
        let server = try server()
        #expect(try server.run("greeting") == "0")
        #expect(server.notices == [.handshakeFailed("its peer sent more than 20480 bytes of a handshake")])
    }

    @Test func `resets during handshakes do not affect other clients`() throws {
        let server = try server()
        #expect(try server.run("reset") == "HTTP/1.1 200 OK")
        #expect(server.notices.isEmpty)
    }

    @Test(arguments: [1, 5, 100, 16_384, 60_000])
    func `garbage gets no answer and is reported once`(length: Int) throws {
        let server = try server { $0.timeouts.head = 300_000_000 }
        let words = try server.run("garbage", "\(length)").split(separator: " ")
        #expect(words == ["0", "end"])
        let reasons = server.notices.map { "\($0)" }
        #expect(reasons == (length < 5 ? [] : ["handshakeFailed(\"wrong version number\")"]))
    }

    @Test(arguments: [
        ("G", false), ("GET", false), ("GET\t/ HTTP/1.1\r\n", true), ("GET\r\n", true), ("SSH-2.0-client\r\n", true),
        (String(repeating: "x", count: 31), false), (String(repeating: "x", count: 32), true),
        (String(repeating: "x", count: 100) + " / HTTP/1.1", true),
    ])
    func `bytes that only resemble an HTTP method get no answer`(text: String, isReported: Bool) throws {
        let server = try server { $0.timeouts.head = 300_000_000 }
        #expect(try server.run("words", text) == "0 end")
        #expect(
            server.notices == (isReported ? [.handshakeFailed("its peer began with neither TLS nor HTTP")] : []))
        #expect(try server.run("bytewise") == "HTTP/1.1 200 OK")
    }

    @Test func `one client's error is not reported for the next client`() throws {
        let server = try server()
        for _ in 0..<3 {
            _ = try server.run("garbage", "100")
            #expect(try server.run("bytewise") == "HTTP/1.1 200 OK")
            #expect(try server.connect(["-tls1_2"]).output.contains("HTTP/1.1 200 OK"))
        }
    }

    @Test func `a hundred concurrent handshakes complete while another client is served`() throws {
        #expect(try server().run("crowd", "100") == "100 True")
        #expect(try server { $0.loops = 2 }.run("crowd", "100") == "100 True")
    }

    @Test func `a closed connection ends with a TLS close_notify`() throws {
        #expect(try server().run("closing") == "HTTP/1.1 200 OK")
    }

    @Test func `a client that half-closes after its request is answered`() throws {
        #expect(try server().run("halfclose") == "HTTP/1.1 200 OK")
    }

    @Test func `a PROXY header before the handshake is read at every cut`() throws {
        let ranges = [try AddressRange("127.0.0.1")]
        #expect(try server { $0.proxyProtocolFrom = ranges }.run("announced") == "all")
    }

    @Test func `the plain port is served beside the secure port`() throws {
        let server = try server()
        #expect(try Child.mustRun(["curl", "-sS", "http://127.0.0.1:\(server.plainPort)/now"]) == "/now")
    }
}
