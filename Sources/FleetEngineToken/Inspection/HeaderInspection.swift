import StrictJSON

/// What is to be said of a header.
enum HeaderInspection {
    static func findings(_ header: JSONObject) -> [TokenFinding] {
        var findings: [TokenFinding] = []
        if let finding = algorithm(header["alg"]) { findings.append(finding) }
        if header["typ"] != .string("JWT") { findings.append(.typeNotJWT(header["typ"])) }
        if !isFilled(header["kid"]) { findings.append(.keyIDMissing(header["kid"])) }
        if header["crit"] != nil { findings.append(.criticalExtension) }
        let known: Set<JSONName> = ["alg", "typ", "kid", "crit"]
        return findings
            + JSONText.ordered(header).filter { !known.contains($0.name) }.map { .unknownHeaderMember($0.name) }
    }

    private static func algorithm(_ value: JSONValue?) -> TokenFinding? {
        switch value {
        case nil: return .algorithmMissing
        case .string("RS256"): return nil
        case .string(let text) where text.lowercased() == "none": return .algorithmNone
        case .some(let value): return .algorithmNotRS256(value)
        }
    }

    private static func isFilled(_ value: JSONValue?) -> Bool {
        guard case .string(let text) = value else { return false }
        return !text.isEmpty
    }
}
