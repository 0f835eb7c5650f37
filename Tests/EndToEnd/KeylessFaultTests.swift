import Testing

/// Something happens to Google in the middle of load.
@Suite(.blocking) struct KeylessFaultTests {
    struct Facts {
        let known: [String: Int]
        let new: [String: Int]
        let lines: [String: Int]

        init(_ event: String) throws {
            let facts = try PythonClients.runVerifier("keyless_faults.py", [Program.daemon, event])
            known = try #require(facts["known"] as? [String: Int])
            new = try #require(facts["new"] as? [String: Int])
            lines = try #require(facts["lines"] as? [String: Int])
        }
    }

    @Test(arguments: ["killed", "stopped", "garbage", "role_removed"])
    func `an outage spares known devices and is logged once`(event: String) throws {
        let facts = try Facts(event)
        #expect(facts.known.keys.sorted() == ["200"], "\(facts.known)")
        #expect(facts.new.keys.sorted() == ["200", "503"], "\(facts.new)")
        #expect(facts.lines["tokens cannot be signed"] == 1)
        #expect(facts.lines["tokens are signed again"] == 1)
        let pauses = try #require(facts.lines["remote signing paused"])
        #expect(pauses <= 1 && facts.lines["remote signing resumed"] == pauses)
    }

    @Test(arguments: ["interrupted", "rotated", "switched"])
    func `no device is refused and nothing is logged`(event: String) throws {
        let facts = try Facts(event)
        #expect(facts.known.keys.sorted() == ["200"], "\(facts.known)")
        #expect(facts.new.keys.sorted() == ["200"], "\(facts.new)")
        #expect(facts.lines.values.allSatisfy { $0 == 0 }, "\(facts.lines)")
    }
}
