import TestSupport
import Testing

/// Signing without a key file, driven by clients in Python: what Google receives, what devices get, and what is written.
@Suite(.blocking) struct KeylessComparisonTests {
    @Test func `google-auth and the daemon send the same requests`() throws {
        try PythonClients.runVerifier("keyless_comparison.py", [Program.daemon])
    }

    @Test func `botocore and the daemon get the same credentials of AWS`() throws {
        try PythonClients.runVerifier("aws_sources.py", [Program.daemon])
    }

    @Test func `signatures in flight share open connections of HTTP/2`() throws {
        let facts = try PythonClients.runVerifier("keyless_http2.py", [Program.daemon])
        #expect(facts["statuses"] as? [String: Int] == ["200": 288])
        #expect(facts["versions"] as? [String] == ["HTTP/2"])
        #expect(try #require(facts["connections"] as? Int) <= 8)
        #expect(try #require(facts["most_at_once"] as? Int) > 8)
    }

    @Test func `device, log and doctor report each fault`() throws {
        try PythonClients.runVerifier("keyless_answers.py", [Program.daemon])
    }

    @Test func `no secret is written, even if Google quotes it`() throws {
        try PythonClients.runVerifier("keyless_canary.py", [Program.daemon])
    }
}
