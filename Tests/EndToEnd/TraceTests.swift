import TestSupport
import Foundation
import Testing

/// Request and trace ids in answers, log lines and audit records, with the real binary.
@Suite(.blocking, .tags(.addressSanitizer)) struct TraceTests {
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
            try daemon.waitForLog(" client_request_id=\(id) trace_id=\(Self.trace)")
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

    @Test func `a client cannot choose the request id of an audit record`() throws {
        let files = try CallerFiles()
        let daemon = try files.daemon("audit: {output: file, file: audit}")
        let first = try Curl("\(daemon.url)/token?tripID=a")
        let victim = try #require(first.fields["x-request-id"])
        _ = try Curl("\(daemon.url)/token?tripID=b", ["-H", "X-Request-ID: \(victim)"])
        #expect(try daemon.end() == 0)
        let records = try files.auditRecords().filter { $0["outcome"] != nil }
        let ids = records.map { $0["request_id"] as? String }
        #expect(ids.first == victim)
        #expect(ids.count == 2 && Set(ids).count == 2)
        #expect(records.map { $0["client_request_id"] as? String } == [nil, victim])
    }

    @Test func `the audit log and the refusal's log line have both ids`() throws {
        let files = try CallerFiles()
        let daemon = try files.daemon("audit: {output: file, file: audit}")
        let answer = try Curl("\(daemon.url)/token?tripID=a", ["-H", "X-Request-ID: mine"] + Self.fields)
        #expect(answer.status == 401)
        #expect(answer.fields["x-request-id"] == "mine")
        try daemon.waitForLog(" client_request_id=mine code=unauthenticated")
        let line = try #require(try daemon.log().split(separator: "\n").first { $0.contains("info refused ") })
        #expect(line.contains(#/ refused client=[0-9a-f]{16} client_request_id=mine code=/#))
        #expect(line.contains(#/ request_id=[0-9a-f]{16}( |$)/#))
        #expect(line.contains("trace_id=\(Self.trace)"))
        #expect(try daemon.end() == 0)
        let record = try #require(try files.auditRecords().first { $0["client_request_id"] as? String == "mine" })
        let own = try #require(record["request_id"] as? String)
        #expect(line.contains(" request_id=\(own)"))
        #expect(try files.verifyAudit().status == 0)
    }
}
