import Testing

/// The Google on loopback, by which other tests judge the daemon, is checked itself.
@Suite(.blocking) struct LoopbackGoogleTests {
    @Test func `every fault happens, and what Google refuses is refused`() throws {
        let facts = try PythonClients.runVerifier("loopback_google_checks.py", [])
        #expect((facts["faults"] as? [String])?.count == 25)
        #expect(facts["checks"] as? Int == 42)
    }

    @Test func `google-auth accepts it with each type of credentials`() throws {
        let facts = try PythonClients.runVerifier("google_auth_checks.py", [])
        #expect((facts["cases"] as? [String: Any])?.count == 19)
    }
}
