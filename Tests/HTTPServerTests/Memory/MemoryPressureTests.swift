import Testing

@testable import HTTPServer

/// Which steps are taken as memory is used up, of a budget of 32 bytes.
struct MemoryPressureTests {
    typealias Step = MemoryPressure.Step

    private func step(using used: Int, after earlier: Int...) -> Step? {
        var pressure = MemoryPressure()
        for used in earlier + [used] { _ = pressure.observe(used, of: 32) }
        return pressure.step
    }

    @Test func `steps are taken in their order as more is used`() {
        #expect(Step.allCases == [.shares, .silent, .idle, .sessions, .streams, .stalled, .connections])
        let taken = (0...40).map { step(using: $0) }
        let (nothing, all) = ([Step?](repeating: nil, count: 16), [Step?](repeating: .connections, count: 10))
        let between = [(Step.shares, 4), (.silent, 2), (.idle, 2), (.sessions, 2), (.streams, 2), (.stalled, 3)]
        #expect(taken == nothing + between.flatMap { [Step?](repeating: $0.0, count: $0.1) } + all)
    }

    @Test(arguments: zip([16, 20, 22, 24, 26, 28, 31], MemoryPressure.Step.allCases))
    func `a step ends only once a little less is used`(begin: Int, reached: MemoryPressure.Step) {
        #expect(step(using: begin) == reached)
        #expect(step(using: begin - 1, after: begin) == reached)
        #expect(step(using: begin - 2, after: begin) != reached)
        #expect(step(using: begin - 1) != reached)
    }

    @Test func `only the first use of a step is reported`() {
        var pressure = MemoryPressure()
        let reports = [0, 16, 17, 20, 19, 20, 0, 16].map { pressure.observe($0, of: 32) }
        #expect(reports == [false, true, false, true, false, false, false, true])
    }

    @Test func `all steps may be reached at once and left at once`() {
        #expect(step(using: 100, after: 0) == .connections)
        #expect(step(using: 0, after: 100) == nil)
    }
}

/// When freed memory is given back, under a clock that the test sets.
struct MemoryReleaseTests {
    private static let flood = 100 << 20
    private static let quiet = MemoryRelease.quiet

    private func releases(_ observed: [(used: Int, at: UInt64)]) -> [Bool] {
        var release = MemoryRelease()
        return observed.map { release.isDue(holding: $0.used, after: $0.used, at: $0.at) }
    }

    @Test func `memory is given back once, a quiet moment after a flood`() {
        let observed = [(Self.flood, 0), (0, 1), (0, Self.quiet), (0, Self.quiet + 1), (0, 9 * Self.quiet)]
        #expect(releases(observed) == [false, false, false, true, false])
    }

    @Test func `a flood between two looks is not missed`() {
        var release = MemoryRelease()
        let isDueAtOnce = release.isDue(holding: 0, after: Self.flood, at: 1)
        let isDueLater = release.isDue(holding: 0, after: 0, at: Self.quiet + 1)
        #expect(!isDueAtOnce && isDueLater)
    }

    @Test func `a flood that goes on postpones it`() {
        let observed = [(Self.flood, 0), (0, 1), (Self.flood, 2), (0, Self.quiet + 1), (0, 2 * Self.quiet + 1)]
        #expect(releases(observed) == [false, false, false, false, true])
    }

    @Test func `little is not given back`() {
        let most = MemoryRelease.leastBytes - 1
        #expect(releases([(most, 0), (0, 1), (0, 9 * Self.quiet)]) == [false, false, false])
    }

    @Test func `each flood is followed by its own release`() {
        let quiet = Self.quiet
        let observed = [
            (Self.flood, 0), (0, 1), (0, quiet + 1), (Self.flood, quiet + 2), (0, quiet + 3), (0, 2 * quiet + 3),
        ]
        #expect(releases(observed) == [false, false, true, false, false, true])
    }
}

/// What is charged, and when an address has more than its share.
struct MemoryBudgetTests {
    /// More than any address may hold.
    private static let unit = 2 * MemoryFootprint.handshake

    private let budget = MemoryBudget(MemoryLimits(total: 1000 * unit))

    private func charge(_ units: Int, to account: MemoryAccount?) { budget.charge(units * Self.unit, to: account) }

    @Test func `charges add up in all and for each account`() {
        let (one, other) = (MemoryAccount(), MemoryAccount())
        budget.charge(10, to: one)
        budget.charge(20, to: other)
        budget.charge(30, to: nil)
        budget.charge(-5, to: one)
        #expect(budget.used == 55)
        #expect([one.used, other.used] == [5, 20])
    }

    @Test func `a share binds only while more than half is used`() {
        let account = MemoryAccount()
        charge(63, to: account)
        charge(437, to: nil)
        #expect(!budget.isOverShare(account))
        #expect(budget.isOverShare(account, margin: Self.unit))
        charge(1, to: nil)
        #expect(budget.isOverShare(account))
        #expect(!budget.isOverShare(nil))
        charge(-1, to: account)
        charge(1, to: nil)
        #expect(!budget.isOverShare(account))
    }

    @Test(arguments: [(501, 62), (600, 62), (625, 31), (688, 15), (750, 7), (813, 3), (875, 1), (969, 0), (1000, 0)])
    func `each step of pressure halves the share`(used: Int, share: Int) {
        let (heavy, light) = (MemoryAccount(), MemoryAccount())
        charge(share + 1, to: heavy)
        charge(share, to: light)
        charge(used - 2 * share - 1, to: nil)
        #expect(budget.isOverShare(heavy))
        #expect(!budget.isOverShare(light))
    }

    @Test func `new limits apply to what is held already`() {
        let account = MemoryAccount()
        charge(100, to: account)
        #expect(!budget.isHalfUsed)
        budget.take(MemoryLimits(total: 150 * Self.unit, perAddress: 99 * Self.unit))
        #expect(budget.isHalfUsed)
        #expect(budget.isOverShare(account))
    }

    @Test func `an address may hold one handshake however little is left`() {
        let (one, two) = (MemoryAccount(), MemoryAccount())
        budget.take(MemoryLimits(total: 1000 * Self.unit, perAddress: 1))
        charge(1000, to: nil)
        budget.charge(MemoryFootprint.handshake, to: one)
        budget.charge(MemoryFootprint.handshake + 1, to: two)
        #expect([one, two].map { budget.isOverShare($0) } == [false, true])
        #expect([0, 1].map { two.isOver(0, own: $0) } == [true, false])
    }
}
