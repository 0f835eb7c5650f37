import Foundation
import Testing

/// The pages for browsers in a real browser.
@Suite(.blocking) struct ConsolePageTests {
    private func expectNoFault(_ facts: [String: Any]) {
        for fault in ["errors", "violations", "findings", "overflows"] {
            #expect((facts[fault] as? [Any])?.isEmpty == true, "\(fault): \(facts[fault] ?? "")")
        }
    }

    private func daemon(_ files: CallerFiles) throws -> DaemonProcess {
        _ = try files.apiKey("dispatch")
        return try files.daemon(
            """
            log: {ids: plain}
            rules:
              - {name: riders, kinds: [consumer], ids: {tripID: {claim: trips}}}
              - {name: dispatchers, kinds: [driver], api_keys: [dispatch], ids: {vehicleID: [v-1, v]}}
            """, environment: DaemonProcess.withAdmin)
    }

    @Test func `the console shows, reloads, explains and inspects in Chromium`() throws {
        let files = try CallerFiles()
        let daemon = try daemon(files)
        let token = try files.token(["trips": ["trip-1"]])
        let facts = try PythonClients.runBrowser(
            "console_page.py",
            [daemon.adminURL(), daemon.url, files.scratch.path("token-provider.yaml"), token])
        expectNoFault(facts)
        #expect(facts["broken"] as? Int == 10)
        #expect(try daemon.end() == 0)
        #expect(try !daemon.log().contains(token.suffix(40)))
    }

    @Test func `the console shows, reloads, explains and inspects in Firefox`() throws {
        let daemon = try daemon(CallerFiles())
        let facts = try PythonClients.runBrowser("firefox_page.py", [daemon.adminURL()])
        #expect(facts["answers"] as? [Bool] == [true, true, true, true, true])
        #expect((facts["errors"] as? [String])?.isEmpty == true, "\(facts)")
        #expect(try #require(facts["overflow"] as? Int) <= 0)
    }

    @Test func `the playground requests, verifies and refreshes tokens in Chromium`() throws {
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        let facts = try PythonClients.runBrowser("playground_page.py", [demo.url])
        expectNoFault(facts)
        #expect(facts["kinds"] as? Int == 6)
        #expect(try Curl("\(demo.url)/").status == 404)
        #expect(try Curl("\(demo.url)/console/data.json").status == 404)
        #expect(try demo.end() == 0)
    }
}
