import FleetEngineToken
import StrictJSON
import TokenInspection

/// A report for people. Values from the token are escaped, and the signature is not in it.
struct InspectionText: StyledText {
    let isColoured: Bool

    /// The lines, without the last line's end.
    func text(_ report: InspectionReport) -> String {
        (parts(report.token) + [signature(report)] + findings(report.findings) + [verdict(report)])
            .joined(separator: "\n\n")
    }

    /// The token's content without findings: the lines, without the last line's end.
    func text(_ token: InspectedToken) -> String { parts(token).joined(separator: "\n\n") }

    private func parts(_ token: InspectedToken) -> [String] {
        var parts: [String] = []
        if let member = token.member {
            parts.append("The token is from the JSON member \(JSONText.compact(.string(member))).")
        }
        if let header = token.header {
            parts.append(section("Header", JSONText.pretty(header, first: ["alg", "typ", "kid"])))
        }
        if let claims = token.claims {
            let names: [JSONName] = ["iss", "sub", "aud", "iat", "exp", "authorization"]
            parts.append(section("Claims", JSONText.pretty(claims, first: names)))
        }
        if let times = token.times, !lines(times).isEmpty {
            parts.append(section("Times", lines(times).joined(separator: "\n")))
        }
        if let purpose = token.purpose { parts.append(section("For", purpose.sentence)) }
        return parts
    }

    private func lines(_ times: TokenTimes) -> [String] {
        let all = [("iat", times.issuedAt), ("nbf", times.notBefore), ("exp", times.expiresAt)]
        return all.compactMap { name, seconds in
            guard let seconds else { return nil }
            let away = RelativeTime.span(seconds - times.now)
            let phrase = name == "exp" ? times.phrase ?? "" : seconds > times.now ? "in \(away)" : "\(away) ago"
            return "\(name)  \(CivilTime(clamping: seconds).rfc3339)  \(phrase)"
        }
    }

    private func signature(_ report: InspectionReport) -> String {
        let check = report.signature
        let (word, style): (String, TextStyle) =
            switch check.status {
            case .verified: ("verified", .good)
            case .wrong: ("wrong", .bad)
            case .notChecked: ("not checked", .doubtful)
            }
        return section("Signature", "\(styled(word, style)): \(check.sentence)")
    }

    private func findings(_ findings: [TokenFinding]) -> [String] {
        guard !findings.isEmpty else { return [] }
        let lines = findings.map { finding in
            "\(severity(finding.severity)) \(finding.problem) [\(finding.code)]\n        -> \(finding.fix)"
        }
        return [section("Findings", lines.joined(separator: "\n"))]
    }

    private func severity(_ severity: TokenFinding.Severity) -> String {
        switch severity {
        case .refused: styled("refused", .bad)
        case .warning: styled("warning", .doubtful)
        case .note: "note   "
        }
    }

    private func verdict(_ report: InspectionReport) -> String {
        report.isRefused
            ? styled("Fleet Engine would refuse this.", .bad)
            : styled("Nothing here would make Fleet Engine refuse this token.", .good)
    }
}
