import FleetEngineToken

/// A report for people. Kinds that have everything but Fleet Engine's answer in common are shown together.
struct DoctorText: StyledText {
    let isColoured: Bool

    private static let indentation = String(repeating: " ", count: 20)

    /// The lines, without the last line's end.
    func text(_ report: DoctorReport) -> String {
        var groups: [[KindDiagnosis]] = []
        for diagnosis in report.kinds {
            if let place = groups.firstIndex(where: { $0[0].hasSameSigner(as: diagnosis) }) {
                groups[place].append(diagnosis)
            } else {
                groups.append([diagnosis])
            }
        }
        let reached = report.reached.isEmpty ? [] : [section("reached", report.reached.joined(separator: "\n"))]
        return (groups.map(section) + reached + [verdict(report)]).joined(separator: "\n\n")
    }

    private func section(_ group: [KindDiagnosis]) -> String {
        let title = group.map(\.kind.rawValue).joined(separator: ", ")
        let shared = group[0].signingSteps.map { line($0) }
        let answers = Set(group.map(\.fleetEngine))
        let own = group.compactMap { diagnosis in
            diagnosis.fleetEngine.map { line($0, answers.count > 1 ? "\(diagnosis.kind.rawValue): " : "") }
        }
        return section(title, (shared + (answers.count > 1 ? own : Array(own.prefix(1)))).joined(separator: "\n"))
    }

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

extension KindDiagnosis {
    fileprivate var signingSteps: [DoctorStep] { steps.filter { $0.name != .fleetEngine } }
    fileprivate var fleetEngine: DoctorStep? { steps.first { $0.name == .fleetEngine } }

    fileprivate func hasSameSigner(as other: KindDiagnosis) -> Bool { signingSteps == other.signingSteps }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
