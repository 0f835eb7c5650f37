import Concurrency
import FleetEngineToken

/// Shows each step once every kind has taken it, so that a slow answer leaves no silence.
final class DoctorProgress: Sendable {
    private struct State {
        var steps: [DoctorStep.Name: [TokenKind: DoctorStep]] = [:]
        var next = DoctorStep.Name.allCases[...]
    }

    private let kinds: [TokenKind]
    private let text: DoctorText
    private let show: @Sendable (String) -> Void
    private let state = Guarded(State())

    /// Shows the kinds at once.
    init(_ kinds: [TokenKind], _ text: DoctorText, show: @escaping @Sendable (String) -> Void) {
        (self.kinds, self.text, self.show) = (kinds, text, show)
        if !kinds.isEmpty { show(text.heading(kinds)) }
    }

    /// Notes a step of a kind that is final.
    func note(_ step: DoctorStep, of kind: TokenKind) {
        state.withLock { state in
            state.steps[step.name, default: [:]][kind] = step
            while let name = state.next.first, let taken = state.steps[name], taken.count == kinds.count {
                show(text.lines(kinds.compactMap { kind in taken[kind].map { (kind, $0) } }))
                state.next.removeFirst()
            }
        }
    }
}
