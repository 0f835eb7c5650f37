import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

/// A request as the handler reads it.
struct HTTPRequestTests {
    private static let text = """
        \r
        POST /a%20b/c?d=e%2f&f HTTP/1.1\r
        Host: a\r
        X-One: \t first \t\r
        X-Two: 1\r
        x-two: 2\r
        X-Empty:\r
        X-Colon: a: b\r
        \r
        body
        """

    private func withRequest<Value>(
        _ text: String = text, _ body: (borrowing HTTPRequest) throws -> Value
    ) throws -> Value {
        let bytes = Array(text.utf8)
        let head = try #require(parse(bytes).head)
        return try bytes.withUnsafeBytes { try body(HTTPRequest(bytes: $0, head: head, peer: nil, requestID: 0)) }
    }

    @Test func `method and path are returned as sent`() throws {
        try withRequest { request in
            let (method, path) = (request.method, request.path)
            #expect(method == .post)
            #expect(path == "/a%20b/c")
        }
    }

    @Test func `a path is compared as sent`() throws {
        try withRequest { request in
            let exact = request.hasPath("/a%20b/c")
            let others = [
                request.hasPath("/a b/c"), request.hasPath("/a%20b/"), request.hasPath("/a%20b/c?"),
                request.hasPath(""),
                request.hasPath("/A%20B/C"),
            ]
            #expect(exact)
            #expect(others == [false, false, false, false, false])
        }
    }

    @Test func `a path prefix is compared as sent`() throws {
        try withRequest { request in
            let begins = [
                request.pathBegins(with: ""), request.pathBegins(with: "/a%20"), request.pathBegins(with: "/a%20b/c"),
            ]
            let others = [request.pathBegins(with: "/a%20b/c?"), request.pathBegins(with: "/A")]
            #expect(begins == [true, true, true])
            #expect(others == [false, false])
        }
    }

    @Test(arguments: [("/x?a=b", "a=b"), ("/x?", ""), ("/x??", "?"), ("/x", nil)] as [(String, String?)])
    func `a query is returned as sent, and missing differs from empty`(target: String, query: String?) throws {
        let found = try withRequest("GET \(target) HTTP/1.0\r\n\r\n") { request in
            request.withQuery { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        }
        #expect(found == query)
    }

    @Test func `a field is found in any case and its value trimmed`() throws {
        let values = try withRequest { request in
            [
                request.field("x-one"), request.field("host"), request.field("x-empty"), request.field("x-colon"),
                request.field("x-none"), request.field("x-on"),
            ]
        }
        #expect(values == ["first", "a", "", "a: b", nil, nil])
    }

    @Test func `a repeated field has no single value`() throws {
        let value = try withRequest { $0.field("x-two") }
        #expect(value == nil)
    }

    private static let list = """
        GET / HTTP/1.1\r
        Host: a\r
        X-Forwarded-For: 1.1.1.1, 2.2.2.2\r
        x-other: 0\r
        x-forwarded-FOR:\r
        X-FORWARDED-FOR: \t3.3.3.3 \r
        \r

        """

    @Test func `static and configured names find the same values`() throws {
        let seen = try withRequest { request in
            let bytes = { (value: Span<UInt8>) in value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
            let names = ["x-one", "host", "x-empty", "x-two", "x-none", "x-on"].map { Array($0.utf8) }
            return [
                [
                    request.withField("x-one", bytes), request.withField("host", bytes),
                    request.withField("x-empty", bytes), request.withField("x-two", bytes),
                    request.withField("x-none", bytes), request.withField("x-on", bytes),
                ],
                names.map { name in
                    if case .once(let value) = request.occurrence(of: name, bytes) { value } else { nil }
                },
            ]
        }
        #expect(seen[0] == ["first", "a", "", nil, nil, nil])
        #expect(seen[1] == seen[0])
    }

    @Test func `an error from the closure is rethrown`() throws {
        struct Failure: Error {}
        try withRequest { request in
            let isThrown: Bool
            do throws(Failure) {
                _ = try request.withField("host") { (_) throws(Failure) -> Int in throw Failure() }
                isThrown = false
            } catch {
                isThrown = true
            }
            #expect(isThrown)
        }
    }

    @Test func `all values of a field are returned in order, including empty`() throws {
        let values = try withRequest(Self.list) { request in
            [request.values(of: "x-forwarded-for"), request.values(of: "x-other"), request.values(of: "x-none")]
        }
        #expect(values == [["1.1.1.1, 2.2.2.2", "", "3.3.3.3"], ["0"], []].map { $0.map { Array($0.utf8) } })
    }
}
