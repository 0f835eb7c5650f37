import Foundation
import Testing

/// Request and trace ids in answers, log lines and audit records, with the real binary.
@Suite struct TraceTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let fields = ["-H", "traceparent: 00-\(trace)-b7ad6b7169203331-01", "-H", "tracestate: a=1"]

    @Test(arguments: ["--http1.1", "--http2-prior-knowledge"])
    func `a client's request id is returned and logged for every answer`(protocol name: String) throws {
        let scratch = try Scratch()
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_HTTP2_PRIOR_KNOWLEDGE": "true"])
        for (id, path) in [
            ("id-1", "/token?tripID=a"), ("id-2", "/token?tripID=a"), ("id-3", "/none"), ("id-4", "/token"),
        ] {
            let answer = try Curl("\(daemon.url)\(path)", [name, "-H", "X-Request-ID: \(id)"] + Self.fields)
            #expect(answer.fields["x-request-id"] == id)
            try daemon.waitForLog("request_id=\(id) trace_id=\(Self.trace)")
        }
        let made = try Curl("\(daemon.url)/token?tripID=a", [name, "-H", "X-Request-ID: a b"])
        #expect(try #require(made.fields["x-request-id"]).wholeMatch(of: /[0-9a-f]{16}/) != nil)
    }

    @Test func `request ids from clients are replaced when take_ids is false`() throws {
        let scratch = try Scratch()
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_REQUEST_TAKE_IDS": "false"])
        #expect(try Curl("\(daemon.url)/healthz", ["-H", "X-Request-ID: mine"]).fields["x-request-id"] != "mine")
    }

    @Test func `the audit log and the refusal's log line have the id`() throws {
        let files = try CallerFiles()
        let daemon = try files.daemon("audit: {output: file, file: audit}")
        let answer = try Curl("\(daemon.url)/token?tripID=a", ["-H", "X-Request-ID: mine"] + Self.fields)
        #expect(answer.status == 401)
        #expect(answer.fields["x-request-id"] == "mine")
        try daemon.waitForLog("refused code=unauthenticated")
        let line = try #require(try daemon.log().split(separator: "\n").first { $0.contains("refused code=") })
        #expect(line.contains("request_id=mine"))
        #expect(line.contains("trace_id=\(Self.trace)"))
        #expect(try daemon.end() == 0)
        #expect(try files.auditRecords().contains { $0["request_id"] as? String == "mine" })
    }
}
