import TestSupport
import Foundation
import Testing

@testable import HTTPClient

/// Requests through proxies that open a way, and through those that do not.
struct ProxyTests {
    private let server: TestServer
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
        server = try TestServer(certificate: certificates.certificate("IP:0.0.0.0,IP:127.0.0.1,DNS:localhost"))
    }

    /// A proxy (`proxy.py`); it ends when this object is released.
    private final class Proxy {
        let endpoint: String
        let output: OutputPipe
        private let process: Child

        init(_ mode: String, ipv6: Bool = false) throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Support/proxy.py").path
            output = try OutputPipe()
            process = try Child(["python3", script, mode] + (ipv6 ? ["6"] : []), output: .pipe(output))
            let port = try output.read { $0.contains("\n") }.trimmingCharacters(in: .newlines)
            endpoint = "\(ipv6 ? "[::1]" : "127.0.0.1"):\(port)"
        }
    }

    private func client(_ endpoint: String, as credentials: String = "") throws -> OutgoingClient {
        let proxy = try #require(OutgoingProxy("http://\(credentials)\(endpoint)"))
        return try HTTPClientTests.client(authorities: certificates.authority, through: proxy)
    }

    /// The server by an address that is not this machine's by its text.
    private func url(_ path: String = "echo?canary") throws -> OutgoingURL { try server.url(path, host: "0.0.0.0") }

    @Test(arguments: [false, true])
    func `the proxy sees nothing of the request that it carries`(ipv6: Bool) async throws {
        let proxy = try Proxy("open", ipv6: ipv6)
        let client = try client(proxy.endpoint, as: "us%65r:p%40ss:w%2Frd@")
        let counts = try request(url("counts"))
        let results = try await client.send(inTurn: [request(url()), request(url()), counts])
        for result in results.dropLast() {
            let answer = try result.get()
            #expect(answer.proxy == proxy.endpoint && answer.status == 200)
            #expect(answer.values(of: "x-canary") == [])
            #expect(String(decoding: answer.body.selfDelimiting, as: UTF8.self).contains("canary-field"))
        }
        // Only once, since the connection is used again.
        let credentials = Data("user:p@ss:w/rd".utf8).base64EncodedString()
        let lines = try JSONDecoder().decode([String].self, from: Data(proxy.output.read { $0.contains("\n") }.utf8))
        #expect(
            lines == [
                "CONNECT 0.0.0.0:\(server.port) HTTP/1.1", "Host: 0.0.0.0:\(server.port)",
                "Proxy-Authorization: Basic \(credentials)", "Proxy-Connection: Keep-Alive", "", "",
            ])
        #expect(try TestServer.counts(try #require(results.last).get())["connections"] == 1)
    }

    @Test func `this machine and exceptions are reached without the proxy`() async throws {
        var proxy = try #require(OutgoingProxy("http://127.0.0.1:\(try SilentListener().port)"))
        let client = try HTTPClientTests.client(authorities: certificates.authority, through: proxy)
        #expect(try await client.send(request(server.url("echo", host: "localhost"))).get().proxy == nil)
        let plain = try TestServer()
        #expect(try await client.send(request(plain.url("echo"))).get().proxy == nil)
        _ = try await client.failure(request(url()))
        proxy.exceptions = [try #require(ProxyException("0.0.0.0"))]
        let excepting = try HTTPClientTests.client(authorities: certificates.authority, through: proxy)
        #expect(try await excepting.send(request(url())).get().proxy == nil)
    }

    @Test(arguments: [
        ("407", "does not accept its credentials, or asks for some (status 407)"),
        ("401", "does not accept its credentials, or asks for some (status 401)"),
        ("403", "refuses the way there (status 403)"), ("502", "refuses the way there (status 502)"),
        ("302", "refuses the way there (status 302)"), ("garbage", "gave no valid answer to CONNECT"),
        ("closed", "gave no valid answer to CONNECT"), ("flood", "gave no valid answer to CONNECT"),
    ])
    func `what the proxy does wrong is one sentence about it`(mode: String, reason: String) async throws {
        let proxy = try Proxy(mode)
        let error = try await client(proxy.endpoint, as: "user:canary@").failure(request(url(), redirects: 3))
        #expect(error.cause == .proxy(reason: reason))
        #expect(error.sentence == "0.0.0.0:\(server.port) cannot be reached: the proxy \(proxy.endpoint) \(reason)")
    }

    @Test(arguments: [
        ("silent", "did not open the way within 0.3 seconds"), ("slow", "does not accept its credentials"),
    ])
    func `a proxy that does not end its answer hits the connect timeout`(mode: String, reason: String) async throws {
        let proxy = try Proxy(mode)
        for total in [Duration.milliseconds(300), .seconds(600)] {
            let error = try await client(proxy.endpoint).failure(
                request(url(), connect: .milliseconds(300), total: total))
            #expect(error.sentence.contains("the proxy \(proxy.endpoint) \(reason)"), "\(error.sentence)")
        }
    }

    @Test func `a proxy that is not there is named`() async throws {
        let port = try SilentListener().port
        let gone = try await client("127.0.0.1:\(port)").failure(request(url()))
        #expect(gone.cause == .proxy(reason: "cannot be reached: Connection refused"))
        let unknown = try await client("unknown.invalid:1").failure(request(url()))
        #expect(unknown.cause == .proxy(reason: "has a name without an address, or no DNS server answers"))
    }

    @Test func `faults of the server beyond the proxy name both`() async throws {
        let proxy = try Proxy("open")
        let client = try client(proxy.endpoint)
        let both = "0.0.0.0:\(server.port) (through the proxy \(proxy.endpoint))"
        for path in ["cut", "garbage"] {
            let error = try await client.failure(request(url("\(path)?canary")))
            #expect(error.sentence.hasPrefix("\(both) did not answer in full: "), "\(error.sentence)")
        }
        let others = try Certificates()
        let mistrusting = try HTTPClientTests.client(
            authorities: others.authority, through: OutgoingProxy("http://\(proxy.endpoint)"))
        let error = try await mistrusting.failure(request(url()))
        #expect(error.sentence.hasPrefix("\(both) cannot be reached over TLS: SSL certificate problem"))
        let plain = try Proxy("no-tls")
        guard case .tls = try await self.client(plain.endpoint).failure(request(url())).cause else {
            Issue.record("expected an error of TLS")
            return
        }
    }
}
