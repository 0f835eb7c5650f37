import TestSupport
import Testing

/// The Google on loopback, by which other tests judge the daemon, is checked itself.
@Suite(.blocking) struct LoopbackGoogleTests {
    @Test func `every fault happens, and what Google refuses is refused`() throws {
        try PythonClients.runVerifier("loopback_google_checks.py", [])
    }

    @Test func `google-auth accepts it with each type of credentials`() throws {
        try PythonClients.runVerifier("google_auth_checks.py", [])
    }
}
