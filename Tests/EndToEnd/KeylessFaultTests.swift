import Testing

/// Something happens to Google in the middle of load.
@Suite(.blocking) struct KeylessFaultTests {
    struct Facts {
        let known: [String: Int]
        let new: [String: Int]
        let lines: [String: Int]

        init(_ event: String, http2: Bool) throws {
            let options = http2 ? ["--http2"] : []
            let facts = try PythonClients.runVerifier("keyless_faults.py", [Program.daemon, event] + options)
            #expect(facts["versions"] as? [String] == [http2 ? "HTTP/2" : "HTTP/1.1"])
            // A request waits for 10 s at most.
            #expect(try #require(facts["slowest"] as? Double) < 11)
            known = try #require(facts["known"] as? [String: Int])
            new = try #require(facts["new"] as? [String: Int])
            lines = try #require(facts["lines"] as? [String: Int])
        }
    }

    @Test(arguments: ["killed", "stopped", "garbage", "role_removed"], [false, true])
    func `an outage spares known devices and is logged once`(event: String, http2: Bool) throws {
        let facts = try Facts(event, http2: http2)
        #expect(facts.known.keys.sorted() == ["200"], "\(facts.known)")
        #expect(facts.new.keys.sorted() == ["200", "503"], "\(facts.new)")
        #expect(facts.lines["tokens cannot be signed"] == 1)
        #expect(facts.lines["tokens are signed again"] == 1)
        let pauses = try #require(facts.lines["remote signing paused"])
        #expect(pauses <= 1 && facts.lines["remote signing resumed"] == pauses)
    }

    @Test(arguments: ["interrupted", "rotated", "switched"], [false, true])
    func `no device is refused and nothing is logged`(event: String, http2: Bool) throws {
        let facts = try Facts(event, http2: http2)
        #expect(facts.known.keys.sorted() == ["200"], "\(facts.known)")
        #expect(facts.new.keys.sorted() == ["200"], "\(facts.new)")
        #expect(facts.lines.values.allSatisfy { $0 == 0 }, "\(facts.lines)")
    }
}
