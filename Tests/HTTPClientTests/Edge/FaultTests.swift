import Glibc
import Testing

@testable import HTTPClient

/// Servers that are slow, send too much or disconnect, over real connections.
struct FaultTests {
    private let server: TestServer
    private let client: OutgoingClient

    init() throws {
        server = try TestServer()
        client = try HTTPClientTests.client()
    }

    @Test func `a body at the limit is accepted; a longer one is refused`() async throws {
        let exact = try await client.send(request(server.url("bytes?count=1024"), maxBodyBytes: 1024)).get()
        #expect(exact.body.whole?.count == 1024)
        for path in ["bytes?count=1025", "bytes?count=50000000", "chunks?count=2", "chunks?count=50000"] {
            let error = try await client.failure(request(server.url("\(path)&canary"), maxBodyBytes: 1024))
            #expect(error.cause == .tooLarge(part: "a body", limit: 1024), "\(path)")
            #expect(error.status == 200)
        }
    }

    @Test func `fields over their limit are refused`() async throws {
        #expect(try await client.send(request(server.url("fields?count=1000"))).get().fields.count == 1001)
        let error = try await client.failure(request(server.url("fields?count=4000")))
        #expect(error.cause == .tooLarge(part: "headers", limit: 65_536))
    }

    @Test(arguments: ["silence", "slow-body"])
    func `an answer that is incomplete at its deadline times out`(path: String) async throws {
        let limit = Duration.seconds(2)
        let begin = ContinuousClock.now
        let error = try await client.failure(request(server.url("\(path)?canary"), connect: limit, total: limit))
        #expect(error.cause == .timeout(.answering, after: limit))
        #expect(ContinuousClock.now - begin >= limit)
    }

    @Test func `a server that never completes the handshake hits the connect timeout`() async throws {
        let listener = try SilentListener()
        let error = try await client.failure(
            request(OutgoingURL("https://127.0.0.1:\(listener.port)/?canary"), connect: .milliseconds(200)))
        #expect(error.cause == .timeout(.securing, after: .milliseconds(200)))
    }

    @Test func `a server that accepts no connection hits the connect timeout`() async throws {
        let listener = try SilentListener(isFull: true)
        let error = try await client.failure(
            request(OutgoingURL("https://127.0.0.1:\(listener.port)/?canary"), connect: .milliseconds(200)))
        #expect(error.cause == .timeout(.connecting, after: .milliseconds(200)))
    }

    @Test func `a closed port is reported as connection refused`() async throws {
        let port = try SilentListener().port
        let error = try await client.failure(request(OutgoingURL("http://127.0.0.1:\(port)/?canary")))
        #expect(error.cause == .cannotConnect(reason: "Connection refused"))
    }

    @Test func `an unknown host name cannot be reached`() async throws {
        let error = try await client.failure(request(OutgoingURL("https://unknown.invalid/?canary")))
        #expect(error.cause == .unresolved)
    }

    @Test(arguments: ["cut", "cut-chunks", "cut-status", "cut-field", "garbage"])
    func `a truncated or malformed answer is an error without its bytes`(path: String) async throws {
        let error = try await client.failure(request(server.url("\(path)?canary")))
        guard case .other = error.cause else { throw Unexpected(result: .failure(error)) }
    }

    @Test(arguments: [true, false])
    func `a body that ends with the connection is not proven whole`(isSecure: Bool) async throws {
        let certificates = try Certificates()
        let server = try TestServer(certificate: isSecure ? certificates.certificate("IP:127.0.0.1") : nil)
        let client = try HTTPClientTests.client(authorities: certificates.authority)
        for text in ["", "half"] {
            let answer = try await client.send(request(server.url("unframed?body=\(text)"))).get()
            #expect(answer.body == HTTPClientBody(Array(text.utf8), isProven: false))
        }
        for path in ["bytes?count=0", "chunks?count=0", "status?code=204"] {
            #expect(try await client.send(request(server.url(path))).get().body.whole == [], "\(path)")
        }
    }

    @Test func `the client keeps working after every fault`() async throws {
        for path in ["cut", "garbage", "chunks?count=500"] {
            _ = try await client.failure(request(server.url(path), maxBodyBytes: 100))
        }
        #expect(try await client.send(request(server.url("bytes?count=1"))).get().status == 200)
    }
}

/// A TCP listener that accepts connections and sends nothing, or accepts none because its queue is full.
final class SilentListener: Sendable {
    struct Failure: Error {}

    let port: UInt16
    private let descriptor: Int32
    /// The connection that fills the queue.
    private let guest: Int32

    init(isFull: Bool = false) throws {
        descriptor = Self.tcp()
        guest = Self.tcp()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) | listen(number, isFull ? 0 : 16) | getsockname(number, address, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        let guest = guest
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { isFull ? connect(guest, $0, length) : 0 }
        }
        guard result == 0, connected == 0 else { throw Failure() }
    }

    deinit {
        close(guest)
        close(descriptor)
    }

    /// Waits for a connection.
    func waitForArrival() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 1 {}
    }

    private static func tcp() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
}
