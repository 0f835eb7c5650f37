import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

private let trace = "0af7651916cd43dd8448eb211c80319c"
private let parent = "00-\(trace)-b7ad6b7169203331-01"

/// The request id and the trace context that a request brings.
struct RequestTraceTests {
    /// What is read from a request with these fields; nil if it has no trace field.
    private func read(_ fields: String..., takesID: Bool = true) throws -> RequestTrace? {
        let lines = fields.map { "\($0)\r\n" }.joined()
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8)
        return try bytes.withUnsafeBytes { bytes in
            let parser = RequestParser(limits: HTTPLimits())
            guard case .request(let head) = parser.parse(Span(_unsafeBytes: bytes)) else { throw NoRequest() }
            guard head.isTraced else { return nil }
            return RequestTrace(
                HTTPRequest(bytes: bytes, head: head, peer: nil, requestID: 0), takesID: { _ in takesID })
        }
    }

    private struct NoRequest: Error {}

    @Test func `a request without trace fields is not inspected`() throws {
        #expect(try read("X-Request-Id2: a", "Content-Type: a/b", "User-Agents: a", "tracestate: a=b") == nil)
    }

    @Test(arguments: ["a", "7f3c9b2e-4f0a-4d51-9a57-0c9a4cf2a9d1", "A-Z_a.z~09", String(repeating: "x", count: 40)])
    func `a valid request id is kept`(id: String) throws {
        #expect(try read("x-request-ID: \(id)")?.givenID == id)
        #expect(try read("X-Request-ID: \(id)", takesID: false)?.givenID == nil)
    }

    @Test(arguments: [
        "", "a b", "a,b", "a\"b", "a/b", "ü", "<script>", "a=b", "a%0d", String(repeating: "x", count: 41),
    ])
    func `an invalid request id is ignored`(id: String) throws {
        #expect(try read("X-Request-ID: \(id)")?.givenID == nil)
    }

    @Test func `two request ids are both ignored`() throws {
        #expect(try read("X-Request-ID: a", "X-Request-ID: a")?.givenID == nil)
    }

    @Test func `a valid traceparent is kept with its state`() throws {
        let found = try read("traceparent: \(parent)", "tracestate: a=1,b=2", "tracestate: c=3")
        #expect(found?.parent?.traceID == trace)
        #expect(found?.parent?.text == parent)
        #expect(found?.state == "a=1,b=2,c=3")
    }

    @Test func `members added by later traceparent versions are ignored`() throws {
        #expect(try read("traceparent: cc-\(parent.dropFirst(3))-what-else")?.parent?.text == parent)
    }

    @Test(arguments: [
        "", "00", parent + "-", parent + "0", "ff" + parent.dropFirst(2), "0g" + parent.dropFirst(2),
        parent.uppercased(), parent.replacing("-", with: "_"),
        "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-\(trace)-0000000000000000-01",
        "00-\(trace)-b7ad6b7169203331-0", "cc-\(parent.dropFirst(3))x", " \(parent.dropFirst(1))",
    ])
    func `an invalid traceparent is ignored together with its state`(value: String) throws {
        let found = try read("traceparent: \(value)", "tracestate: a=1")
        #expect(found?.parent == nil)
        #expect(found?.state == "")
    }

    @Test func `two traceparents are ignored, and an overlong state is dropped`() throws {
        let field = "traceparent: \(parent)"
        #expect(try read(field, field)?.parent == nil)
        let long = try read(field, "tracestate: a=\(String(repeating: "x", count: 511))")
        #expect(long?.parent != nil)
        #expect(long?.state == "")
    }
}
