import FleetEngineToken

/// A report for people, step by step. What several kinds have in common is shown once.
struct DoctorText: StyledText {
    let isColoured: Bool

    private static let indentation = String(repeating: " ", count: 20)

    /// The line before the steps.
    func heading(_ kinds: [TokenKind]) -> String { styled(names(kinds), .heading) }

    /// The lines of one step that every kind has taken, in the order of kinds.
    func lines(_ steps: [(kind: TokenKind, step: DoctorStep)]) -> String {
        var groups: [(step: DoctorStep, kinds: [TokenKind])] = []
        for (kind, step) in steps {
            if let place = groups.firstIndex(where: { $0.step == step }) {
                groups[place].kinds.append(kind)
            } else {
                groups.append((step, [kind]))
            }
        }
        return groups.map { line($0.step, groups.count > 1 ? "\(names($0.kinds)): " : "") }.joined(separator: "\n")
    }

    /// What follows the steps, without the last line's end.
    func end(_ report: DoctorReport) -> String {
        let reached = report.reached.isEmpty ? [] : [section("reached", report.reached.joined(separator: "\n"))]
        return (reached + [verdict(report)]).map { "\n\($0)" }.joined(separator: "\n")
    }

    private func names(_ kinds: [TokenKind]) -> String { kinds.map(\.rawValue).joined(separator: ", ") }

    private func line(_ step: DoctorStep, _ subject: String = "") -> String {
        let name = step.name.rawValue.padded(to: 16)
        let head = "  \(mark(step.outcome == .skipped ? nil : step.outcome == .ok)) \(name)\(subject)\(step.detail)"
        guard let remedy = step.remedy else { return head }
        let commands = remedy.commands.map { "\n\(Self.indentation)   \($0)" }.joined()
        return "\(head)\n\(Self.indentation)-> \(remedy.cure)\(commands)"
    }

    private func verdict(_ report: DoctorReport) -> String {
        let failed = report.kinds.filter { !$0.isHealthy }.count
        if failed == 0 { return styled("All is well.", .good) }
        return styled("\(failed) of \(report.kinds.count) kinds \(failed == 1 ? "has" : "have") a problem.", .bad)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
