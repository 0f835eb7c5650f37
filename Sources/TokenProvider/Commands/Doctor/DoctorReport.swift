import FleetEngineToken
import GoogleCredentials

/// What `doctor` found out about every kind.
struct DoctorReport: Sendable {
    /// The project whose Fleet Engine was asked; nil if it was not.
    let project: String?
    let kinds: [KindDiagnosis]
    /// How each service that answered was reached.
    var reached: [String] = []

    var isHealthy: Bool { kinds.allSatisfy(\.isHealthy) }
}

/// The steps of one kind, in their order.
struct KindDiagnosis: Sendable {
    let kind: TokenKind
    /// The account whose tokens the kind has; nil if it did not become known.
    let account: String?
    let steps: [DoctorStep]

    var isHealthy: Bool { !steps.contains { $0.outcome == .failed } }
}

/// One step of a diagnosis. It holds nothing secret.
struct DoctorStep: Hashable, Sendable {
    /// The steps, in the order in which a token comes about.
    enum Name: String, CaseIterable, Sendable {
        case credentials, account
        case accessToken = "access_token"
        case signing
        case publishedKeys = "published_keys"
        case clock
        case fleetEngine = "fleet_engine"

        /// The step without which this one cannot be done.
        var prerequisite: Name? {
            switch self {
            case .credentials: nil
            case .account: .credentials
            case .accessToken, .clock: .account
            case .signing: .accessToken
            case .publishedKeys, .fleetEngine: .signing
            }
        }
    }

    enum Outcome: String, Sendable {
        case ok, failed, skipped
    }

    let name: Name
    let outcome: Outcome
    /// One sentence without a full stop: what was found, what is wrong, or why the step was skipped.
    let detail: String
    /// What to do about a failure; nil for other outcomes.
    let remedy: Remedy?
}

/// The steps so far.
struct DoctorSteps: Sendable {
    private var steps: [DoctorStep.Name: DoctorStep] = [:]
    /// The step that could not reach Google.
    private(set) var outage: DoctorStep.Name?
    /// Gets each step that did not fail: the cause of a failure may become known later.
    private let noted: @Sendable (DoctorStep) -> Void

    init(noted: @escaping @Sendable (DoctorStep) -> Void = { _ in }) { self.noted = noted }

    mutating func succeed(_ name: DoctorStep.Name, _ detail: String) { note(name, .ok, detail) }

    mutating func skip(_ name: DoctorStep.Name, _ detail: String) { note(name, .skipped, detail) }

    private mutating func note(_ name: DoctorStep.Name, _ outcome: DoctorStep.Outcome, _ detail: String) {
        let step = DoctorStep(name: name, outcome: outcome, detail: detail, remedy: nil)
        steps[name] = step
        noted(step)
    }

    mutating func fail(_ name: DoctorStep.Name, _ failure: ProbeFailure) {
        steps[name] = DoctorStep(name: name, outcome: .failed, detail: failure.detail, remedy: failure.remedy)
        if failure.isOutage, outage == nil { outage = name }
    }

    /// All steps in their order; those that were not done are skipped, and say why.
    var all: [DoctorStep] {
        DoctorStep.Name.allCases.map { name in
            steps[name] ?? DoctorStep(name: name, outcome: .skipped, detail: reason(toSkip: name), remedy: nil)
        }
    }

    private func reason(toSkip name: DoctorStep.Name) -> String {
        var next = name.prerequisite
        while let needed = next {
            if steps[needed]?.outcome == .failed { return "needs \(needed.rawValue)" }
            next = needed.prerequisite
        }
        return outage.map { "needs a way to Google, which \($0.rawValue) did not find" } ?? "no answer of Google tells"
    }
}
