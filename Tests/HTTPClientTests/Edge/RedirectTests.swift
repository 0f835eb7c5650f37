import Foundation
import Testing

@testable import HTTPClient

/// Which redirects the client follows, over real connections.
struct RedirectTests {
    private let server: TestServer
    private let client: OutgoingClient

    init() throws {
        server = try TestServer()
        client = try HTTPClientTests.client()
    }

    private func redirect(to location: String, code: Int = 302) throws -> OutgoingURL {
        let to = location.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try server.url("redirect?code=\(code)&to=\(to)")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is an error unless redirects are allowed`(code: Int) async throws {
        let url = try redirect(to: "/bytes?count=1&canary", code: code)
        #expect(try await client.failure(request(url)).cause == .redirect(reason: "0 are allowed"))
        let answer = try await client.send(request(url, redirects: 1)).get()
        #expect(answer.status == 200)
        #expect(answer.body.whole == [UInt8(ascii: "x")])
        #expect(answer.values(of: "location") == [])
    }

    @Test func `redirects are followed up to the limit`() async throws {
        let third = try redirect(to: redirect(to: redirect(to: "/bytes?count=1").text).text)
        #expect(try await client.send(request(third, redirects: 3)).get().status == 200)
        #expect(try await client.failure(request(third, redirects: 2)).cause == .redirect(reason: "2 are allowed"))
    }

    @Test func `a POST is never redirected`() async throws {
        let url = try redirect(to: "/echo?canary", code: 307)
        let error = try await client.failure(request(url, .post([]), redirects: 3))
        #expect(error.cause == .redirect(reason: "only a GET is redirected"))
    }

    @Test(arguments: [
        ("http://canary.test/", "its URL is plain http to another machine"),
        ("http://canary:x@127.0.0.1/", "its URL holds a user name or a password"),
        ("ftp://canary.test/", "its URL begins neither with https:// nor with http://"),
        ("file:///canary", "its URL begins neither with https:// nor with http://"),
    ])
    func `a redirect to a forbidden URL is not followed`(location: String, reason: String) async throws {
        let error = try await client.failure(request(redirect(to: location), redirects: 3))
        #expect(error.cause == .redirect(reason: reason))
    }

    @Test func `fields are sent only to the same origin`() async throws {
        let other = try TestServer()
        func seen(_ url: OutgoingURL) async throws -> String {
            let answer = try await client.send(request(redirect(to: url.text), redirects: 1)).get()
            return String(decoding: answer.body.selfDelimiting, as: UTF8.self)
        }
        #expect(try await seen(server.url("echo")).contains("canary-field"))
        #expect(try await !seen(other.url("echo")).contains("canary-field"))
        #expect(try await !seen(server.url("echo", host: "localhost")).contains("canary-field"))
    }

    @Test func `the total timeout includes redirects`() async throws {
        let slow = try redirect(to: "/silence?canary")
        let error = try await client.failure(
            request(slow, connect: .milliseconds(100), total: .milliseconds(300), redirects: 1))
        #expect(error.cause == .timeout(.answering, after: .milliseconds(300)))
    }
}
