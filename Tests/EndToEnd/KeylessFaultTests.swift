import TestSupport
import Testing

/// Something happens to Google in the middle of load.
@Suite(.blocking, .tags(.threadSanitizer)) struct KeylessFaultTests {
    struct Facts {
        let known: [String: Int]
        let new: [String: Int]
        /// All that the log says, apart from information, by level and message.
        let lines: [String: Int]

        init(_ event: String, http2: Bool) throws {
            let options = http2 ? ["--http2"] : []
            let facts = try PythonClients.runVerifier("keyless_faults.py", [Program.daemon, event] + options)
            #expect(facts["versions"] as? [String] == [http2 ? "HTTP/2" : "HTTP/1.1"])
            known = try #require(facts["known"] as? [String: Int])
            new = try #require(facts["new"] as? [String: Int])
            lines = try #require(facts["lines"] as? [String: Int])
        }
    }

    /// Each takes half a minute or more, so each is seen with one protocol.
    @Test(arguments: [
        ("killed", true), ("stopped", false), ("stopped_for_a_minute", true), ("garbage", true),
        ("role_removed", false),
    ])
    func `an outage spares known devices and is logged once`(event: String, http2: Bool) throws {
        let facts = try Facts(event, http2: http2)
        #expect(facts.known.keys.sorted() == ["200"], "\(facts.known)")
        #expect(facts.new.keys.sorted() == ["200", "503"], "\(facts.new)")
        var lines = facts.lines
        let paused = lines.removeValue(forKey: "warning remote signing paused") ?? 0
        let resumed = lines.removeValue(forKey: "warning remote signing resumed") ?? 0
        #expect(paused <= 1 && resumed == paused, "\(facts.lines)")
        #expect(lines == ["error tokens cannot be signed": 1, "notice tokens are signed again": 1])
    }

    @Test(arguments: [("interrupted", true), ("rotated", false), ("switched", true)])
    func `no device is refused and no trouble is logged`(event: String, http2: Bool) throws {
        let facts = try Facts(event, http2: http2)
        #expect(facts.known.keys.sorted() == ["200"], "\(facts.known)")
        #expect(facts.new.keys.sorted() == ["200"], "\(facts.new)")
        let expected: [String: Int] = event == "switched" ? ["notice the configuration was reloaded": 4] : [:]
        #expect(facts.lines == expected)
    }
}
