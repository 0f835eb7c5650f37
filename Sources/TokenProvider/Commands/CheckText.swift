import FleetEngineToken
import ServiceConfiguration

/// A check's report for people; errors go to standard error and are only counted here.
struct CheckText: StyledText {
    let isColoured: Bool
    /// Whether only warnings are shown.
    var isQuiet = false

    /// The lines, without a final line break.
    func text(_ report: CheckReport) -> String {
        let warnings = report.warnings.map { "\(styled("warning", .doubtful)) \($0)" }.joined(separator: "\n")
        guard !isQuiet else { return warnings }
        var parts: [String] = report.service.map { [section("Judged by", $0)] } ?? []
        if let served = report.served {
            parts.append(section("Kinds", served.kinds.map(kind).joined(separator: "\n")))
            parts.append(section("Signatures", served.signing))
            parts.append(section("Addresses", served.urls.joined(separator: "\n")))
            let admin = served.admin.isEmpty ? "none" : served.admin.joined(separator: "\n")
            parts.append(section("Addresses for admin", admin))
            if !report.sockets.isEmpty {
                parts.append(section("Sockets", report.sockets.map(\.sentence).joined(separator: "\n")))
            }
            parts.append(section("Memory", served.memory.sentences.joined(separator: "\n")))
        }
        if !report.ways.isEmpty { parts.append(section("Keys of issuers", report.ways.joined(separator: "\n"))) }
        if !report.warnings.isEmpty { parts.append(section("Warnings", warnings)) }
        return (parts + [verdict(report.errors.count, report.outages.count)]).joined(separator: "\n\n")
    }

    private func kind(_ checked: CheckedKind) -> String {
        let (name, file) = (checked.kind.rawValue, checked.file ?? "")
        switch checked.state {
        case .on:
            let signer =
                checked.keyID.map { "key \($0) of \(file)" }
                ?? "signed by Google, asked with \(file)"
                + checked.tokenFiles.map { ", which sends the token in \($0)" }.joined()
            return """
                \(styled("on", .good))      \(name) for \(DurationText.text(seconds: checked.lifetime ?? 0)) \
                by \(checked.account ?? "the machine's account")
                        \(signer)
                        -> \(need(checked.kind))
                """
        case .off: return "off     \(name)\n        -> \(checked.absence?.advice(on: checked.kind) ?? "")"
        case .broken: return "\(styled("broken", .bad))  \(name)\n        -> \(file) cannot be used"
        }
    }

    private func need(_ kind: TokenKind) -> String {
        let role = kind.role ?? "a role that Google does not document, and never an admin's"
        return "the account needs \(role)" + (kind.isWildcard ? "; authenticated callers only" : "")
    }

    private func verdict(_ errors: Int, _ outages: Int) -> String {
        let count = { (number: Int, what: String) in number == 1 ? "one \(what)" : "\(number) \(what)s" }
        if errors > 0 { return styled("serve would not start, for \(count(errors, "reason")).", .bad) }
        guard outages > 0 else { return styled("serve would start.", .good) }
        return styled("serve would start, but not be ready: it has no keys of \(count(outages, "issuer")).", .doubtful)
    }
}
