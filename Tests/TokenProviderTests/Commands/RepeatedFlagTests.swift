import Testing

@testable import TokenProvider

@Suite struct RepeatedFlagTests {
    @Test(arguments: [
        (["serve", "--config", "a", "--config", "b"], "--config"), (["--config=a", "--config=a"], "--config"),
        (["mint", "--kind", "server", "--trip", "t", "--kind=driver"], "--kind"),
        (["inspect", "--key", "a", "T", "--key", "b"], "--key"),
        (["check", "--credentials=a", "--json", "--credentials", "b"], "--credentials"),
        (["mint", "--lifetime", "1m", "--lifetime", "2m"], "--lifetime"), (["jwks", "--json", "--json"], "--json"),
    ])
    func `a single-value flag given twice is refused`(arguments: [String], name: String) {
        #expect(RepeatedFlag(in: arguments)?.sentence == "\(name) is given more than once; expected it once")
    }

    @Test(arguments: [
        ["serve", "--listen", "a", "--listen", "b", "--kinds", "driver", "--kinds=consumer"],
        ["mint", "--trip", "t", "--trip", "t"], ["mint", "--tasks", "a", "--tasks", "b"],
        [
            "audit", "verify", "a", "--checkpoints", "b", "--checkpoints", "c", "--expect-last", "d", "--expect-last",
            "e",
        ],
        ["api-key", "new", "a", "--rule", "b", "--rule", "c"],
        ["inspect", "--key", "a", "--", "--key"], ["--log-level", "info", "--log-format", "json"], [],
    ])
    func `other flags and arguments are accepted`(arguments: [String]) {
        #expect(RepeatedFlag(in: arguments) == nil)
    }
}
