import FleetEngineToken

/// All that is told of a token.
struct InspectionReport {
    let inspection: TokenInspection
    let signature: SignatureCheck

    init(_ inspection: TokenInspection, signature: SignatureCheck) {
        self.inspection = inspection
        self.signature = signature
    }

    /// What is to be said of the token, and of the key it is verified with.
    var findings: [TokenFinding] { inspection.findings + signature.findings }

    /// Whether there is a reason for Fleet Engine to refuse the token.
    var isRefused: Bool {
        signature.status == .wrong || findings.contains { $0.severity == .refused }
    }
}
