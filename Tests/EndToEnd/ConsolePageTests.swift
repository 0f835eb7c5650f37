import TestSupport
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
        let files = try CallerFiles()
        let daemon = try daemon(files)
        let token = try files.token(["trips": ["trip-1"]])
        expectNoFault(
            try PythonClients.runBrowser(
                "firefox_page.py",
                ["console", daemon.adminURL(), daemon.url, files.scratch.path("token-provider.yaml"), token]))
    }

    @Test func `the playground requests, verifies and refreshes tokens in Firefox`() throws {
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        expectNoFault(try PythonClients.runBrowser("firefox_page.py", ["playground", demo.url]))
        let page = try Curl("\(demo.url)/", ["-H", "Accept: text/html", "-o", "/dev/null", "-D", "-"])
        #expect(page.fields["x-frame-options"] == "DENY" && page.fields["referrer-policy"] == "no-referrer")
        #expect(page.fields["content-security-policy"]?.contains("unsafe") == false)
        #expect(page.fields["etag"] != nil && page.fields["set-cookie"] == nil)
    }

    @Test func `the playground requests, verifies and refreshes tokens in Chromium`() throws {
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        let facts = try PythonClients.runBrowser("playground_page.py", [demo.url])
        expectNoFault(facts)
        #expect(facts["kinds"] as? Int == 6)
        try expectCode(#require(facts["code"] as? [String: [String]]))
        #expect(try Curl("\(demo.url)/").status == 404)
        #expect(try Curl("\(demo.url)/console/data.json").status == 404)
        #expect(try demo.end() == 0)
    }

    @Test func `the playground's three callers get 200, 403 and 401`() throws {
        let demo = try DaemonProcess(["demo", "--callers", "--listen", "127.0.0.1:0"])
        #expect(demo.said.contains("It accepts unsigned tokens of the Firebase emulator for demo."))
        let facts = try PythonClients.runBrowser("playground_page.py", [demo.url, "callers"])
        expectNoFault(facts)
        for (platform, snippets) in try #require(facts["code"] as? [String: [String]]) {
            let place = platform == "curl" ? "$ID_TOKEN" : "idToken"
            #expect(snippets.allSatisfy { $0.contains(place) && $0.contains("Authorization") }, "\(platform)")
        }
        #expect(try demo.end() == 0)
    }

    /// The code of each platform gets a token in each format, and the time for the next one.
    private func expectCode(_ code: [String: [String]]) throws {
        let compilers = SampleCompilers(try Scratch())
        func program(_ platform: String, _ wrap: (Int, String) -> String) throws -> String {
            let snippets = try #require(code[platform], "\(code.keys)")
            #expect(snippets.count == 5)
            return snippets.enumerated().map { wrap($0.offset, $0.element) }.joined(separator: "\n")
        }
        let calls = (0..<5).map { "try await run\($0)()" }.joined(separator: "\n")
        let swift = try program("Swift") { number, text in
            "func run\(number)() async throws {\n\(text)\n"
                + "print(Int(refreshAt.timeIntervalSinceNow), answer)\n}"
        }
        var lines = try compilers.runSwift(
            "\(swift)\n@main enum Sample { static func main() async throws {\n\(calls)\n} }")
        let kotlin = try program("Kotlin") { number, text in
            "fun run\(number)() {\n\(text)\n"
                + "println(\"${(refreshAt - System.currentTimeMillis()) / 1000} $token\")\n}"
        }
        lines += try compilers.runKotlin("\(kotlin)\nfun main() { \((0..<5).map { "run\($0)(); " }.joined()) }")
        try compilers.checkObjectiveC(
            program("Objective-C") {
                "void run\($0)(NSString *idToken);\nvoid run\($0)(NSString *idToken) {\n\($1)\n}"
            },
            ["-Wno-unused-variable", "-Wno-unused-parameter"])
        for line in lines.split(separator: "\n") {
            let left = try #require(line.split(separator: " ").first.flatMap { Int($0) }, "\(line)")
            #expect((3000..<3600).contains(left) && line.contains("eyJ"), "\(line)")
        }
        #expect(lines.split(separator: "\n").count == 10)
        for command in try #require(code["curl"]) {
            #expect(try Program.mustRun("sh", ["-c", "\(command) -sS"]).contains("eyJ"), "\(command)")
        }
    }
}
