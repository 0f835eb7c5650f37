import Testing

@testable import TokenProvider

/// Samples of the last minutes, and the limits beside them.
@Suite struct ConsoleHistoryTests {
    private let history = ConsoleHistory { [0] }

    @Test func `a full history drops its oldest sample`() {
        for time in 1...Int64(ConsoleHistory.maxCount + 3) { history.add([time, 7]) }
        let times = history.samples(after: -1).compactMap(\.first)
        #expect(times == Array(4...Int64(ConsoleHistory.maxCount + 3)))
        #expect((ConsoleHistory.maxCount - 1) * ConsoleHistory.interval == 15 * 60)
    }

    @Test func `only samples after the given time are returned`() {
        for time: Int64 in [10, 20, 30] { history.add([time, 7]) }
        #expect(history.samples(after: 20).compactMap(\.first) == [30])
        #expect(history.samples(after: 30).isEmpty)
    }

    @Test(
        arguments: [
            ("50000 100000\n", 500), ("max 100000\n", 4000), ("", 4000), ("900000 100000", 4000), ("1 0", 4000),
        ] as [(String, Int64)])
    func `the smaller of the group's and the machine's processors counts`(text: String, thousandths: Int64) {
        #expect(ResourceLimits.processors(text, machine: 4000) == thousandths)
    }

    @Test func `the control group's folder is that of cgroup v2`() {
        #expect(
            ResourceLimits.group("1:name=systemd:/a\n0::/system.slice/b.service\n")
                == "/sys/fs/cgroup/system.slice/b.service")
        for text in ["0::/\n", "", "1:memory:/a\n"] { #expect(ResourceLimits.group(text) == "/sys/fs/cgroup") }
        let limits = ResourceLimits()
        #expect(limits.memory > 0 && limits.processors ?? 0 > 0)
    }
}
