import Testing

@testable import HTTPClient

/// Which servers the client trusts, against a real TLS server.
struct TLSTests {
    private let certificates: Certificates

    init() throws { certificates = try Certificates() }

    /// Why the client refuses a server with this certificate when it trusts these authorities.
    private func refusal(
        _ names: String?, days: Int = 1, old: Bool = false, trusting authorities: String?
    ) async throws -> HTTPClientError {
        let server = try TestServer(certificate: certificates.certificate(names, days: days), old: old)
        let client = try client(authorities: authorities)
        let error = try await client.failure(request(server.url("echo?canary", host: "localhost")))
        guard case .tls = error.cause else { throw Unexpected(result: .failure(error)) }
        return error
    }

    @Test func `a server with a trusted certificate is accepted by each name`() async throws {
        let server = try TestServer(certificate: certificates.certificate("DNS:localhost,IP:127.0.0.1"))
        let client = try client(authorities: certificates.authority)
        for host in ["localhost", "127.0.0.1"] {
            let answer = try await client.send(request(server.url("bytes?count=2", host: host))).get()
            #expect(answer.body.whole == Array("xx".utf8))
        }
    }

    @Test func `a certificate from an untrusted authority is refused`() async throws {
        let others = try Certificates()
        for authorities in [others.authority, nil] {
            let error = try await refusal("DNS:localhost", trusting: authorities)
            #expect(error.sentence.contains("unable to get local issuer certificate"), "\(error.sentence)")
        }
    }

    @Test func `a certificate for another name is refused`() async throws {
        let error = try await refusal("DNS:other.test,IP:127.0.0.1", trusting: certificates.authority)
        #expect(error.sentence.hasSuffix("matches target host name 'localhost'"), "\(error.sentence)")
    }

    @Test func `an expired certificate is refused`() async throws {
        let error = try await refusal("DNS:localhost", days: -1, trusting: certificates.authority)
        #expect(error.sentence.hasSuffix("certificate has expired"), "\(error.sentence)")
    }

    @Test func `a server without TLS 1.2 is refused`() async throws {
        _ = try await refusal("DNS:localhost", old: true, trusting: certificates.authority)
    }

    @Test func `a server without TLS is refused`() async throws {
        let server = try TestServer()
        let url = try OutgoingURL("https://127.0.0.1:\(server.port)/?canary")
        let error = try await client(authorities: certificates.authority).failure(request(url))
        guard case .tls = error.cause else { throw Unexpected(result: .failure(error)) }
    }

    @Test func `text from a certificate is reported in visible ASCII only`() async throws {
        let error = try await refusal(nil, trusting: certificates.authority)
        #expect(error.sentence.contains("'server?]0;'"), "\(error.sentence)")
    }

    @Test func `authorities without a certificate trust nobody`() async throws {
        _ = try await refusal("DNS:localhost", trusting: #filePath)
    }
}
