/// How the last questions to a back end ended, for each caller: those of five to ten seconds. Times are milliseconds.
///
/// A caller whose questions make a back end fail must not stop those of others, so callers are counted, not questions.
struct QuestionTally: Sendable {
    private struct Ends {
        var answers = 0
        var failures = 0

        var areMostlyFailures: Bool { failures > answers }
    }

    /// How long ends are counted together.
    private static let period: Int64 = 5000
    /// The most callers that are counted in a period.
    private static let maxCallers = 1024

    private var now: [RateLimitKey?: Ends] = [:]
    private var before: [RateLimitKey?: Ends] = [:]
    private var periodEnd: Int64 = 0

    /// Counts the end of a caller's question; nil for one without a name or an address.
    mutating func count(_ health: BackEndHealth, of caller: RateLimitKey?, at time: Int64) {
        if time >= periodEnd {
            before = time < periodEnd + Self.period ? now : [:]
            now = [:]
            periodEnd = time + Self.period
        }
        guard now[caller] != nil || now.count < Self.maxCallers else { return }
        switch health {
        case .answering: now[caller, default: Ends()].answers += 1
        case .failing: now[caller, default: Ends()].failures += 1
        case .unknown: break
        }
    }

    /// Whether most of this caller's questions failed.
    func isFailing(_ caller: RateLimitKey?) -> Bool { ends(of: caller).areMostlyFailures }

    /// How many questions ended, how many callers asked them, and for how many of those most failed.
    var sums: (questions: Int, callers: Int, failing: Int) {
        var sums = (questions: 0, callers: 0, failing: 0)
        for caller in Set(now.keys).union(before.keys) {
            let ends = ends(of: caller)
            sums.questions += ends.answers + ends.failures
            sums.callers += 1
            sums.failing += ends.areMostlyFailures ? 1 : 0
        }
        return sums
    }

    private func ends(of caller: RateLimitKey?) -> Ends {
        let (now, before) = (now[caller] ?? Ends(), before[caller] ?? Ends())
        return Ends(answers: now.answers + before.answers, failures: now.failures + before.failures)
    }
}
