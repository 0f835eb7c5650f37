import StrictJSON

/// What a refused token says, as it was read, and what it was compared with.
struct RefusedContent: Sendable {
    let header: JSONObject
    let claims: JSONObject
    let issuers: [TrustedIssuer]
    /// When it was refused, in seconds since the epoch.
    let now: Int64

    /// The predicate of a sentence about the token, with the value that is at fault and with what is configured; nil if the
    /// fault needs neither.
    func predicate(of fault: BearerTokenFault, _ issuer: TrustedIssuer?) -> String? {
        if let predicate = predicate(ofTime: fault) { return predicate }
        if fault == .headerUnexpected { return "\(fault.phrase.problem), \(issuer?.policy.header ?? "authorization")" }
        guard let (name, value, expected) = comparison(fault, issuer) else { return nil }
        let hint = hint(fault, expected).map { " (\($0))" } ?? ""
        guard let value else { return "has no \(name); expected \(ReceivedValue.list(expected))\(hint)" }
        return "\(fault.phrase.problem): \(ReceivedValue.comparison(name, value, expected: expected))\(hint)"
    }

    /// What to change where tokens of a known provider are often refused; nil if that is not known.
    private func hint(_ fault: BearerTokenFault, _ expected: [String]) -> String? {
        switch fault {
        case .audienceMissing:
            // Access tokens of Amazon Cognito have client_id instead.
            if case .string(let client) = claims["client_id"], expected.contains(where: { $0.hasSameBytes(as: client) })
            {
                return "client_id is it: set audience_claim: client_id"
            }
            // Keycloak names the client in azp, and the audience only by a mapper.
            guard claims["aud"] == nil, claims["azp"] != nil else { return nil }
            return "azp names the client, which never counts: let the provider add this audience"
        case .issuerUnknown:
            let entra = ["https://sts.windows.net/", "https://login.microsoftonline.com/"]
            guard case .string(let issuer) = claims["iss"],
                let version = entra.firstIndex(where: { issuer.utf8.starts(with: $0.utf8) }),
                expected.contains(where: { $0.utf8.starts(with: entra[1 - version].utf8) })
            else { return nil }
            return "Entra ID signs tokens of version \(version + 1) by this issuer: add it, or change the version"
        default: return nil
        }
    }

    private func predicate(ofTime fault: BearerTokenFault) -> String? {
        switch fault {
        case .expired: moment("exp", .down).map { "expired \(ReceivedValue.span($0.away)) ago (\($0.text))" }
        case .notYetValid:
            moment("nbf", .up).map { "is not valid yet: nbf is \($0.text), in \(ReceivedValue.span($0.away))" }
        case .issuedInFuture:
            moment("iat", .up).map {
                "was issued in the future: iat is \($0.text), in \(ReceivedValue.span($0.away)); compare the clocks"
            }
        case .expiryMalformed: malformed(fault, "exp")
        case .notBeforeMalformed: malformed(fault, "nbf")
        case .issuedAtMalformed: malformed(fault, "iat")
        default: nil
        }
    }

    func moment(_ name: JSONName, _ rounding: FloatingPointRoundingRule) -> (text: String, away: Int64)? {
        guard let seconds = claims[name].flatMap({ CivilTime.epochSeconds($0, rounded: rounding) }) else { return nil }
        let away = (seconds - min(max(0, now), CivilTime.last)).magnitude
        return (CivilTime(clamping: seconds).rfc3339, Int64(away))
    }

    private func malformed(_ fault: BearerTokenFault, _ name: JSONName) -> String? {
        claims[name].map {
            "\(fault.phrase.problem): \(name.text) is \(ReceivedValue.text($0)), expected \(BearerTokenFault.time)"
        }
    }

    private func comparison(
        _ fault: BearerTokenFault, _ issuer: TrustedIssuer?
    ) -> (name: String, value: JSONValue?, expected: [String])? {
        switch fault {
        case .issuerMalformed, .issuerUnknown: return ("iss", claims["iss"], issuers.flatMap(\.policy.names))
        case .subjectMalformed: return ("sub", claims["sub"], issuer.map { ["\($0.policy.issuer)/PATH"] } ?? [])
        case .tenantWrong: return ("tid", claims["tid"], issuer?.policy.tenants ?? [])
        case .audienceMissing, .audienceMalformed, .audienceWrong:
            guard let policy = issuer?.policy else { return nil }
            return (policy.audienceClaim.text, claims[policy.audienceClaim], policy.audiences)
        case .algorithmMalformed, .algorithmNotAllowed:
            return ("alg", header["alg"], issuer?.policy.algorithms.map(\.rawValue) ?? [])
        case .algorithmNotOfKey: return ("alg", header["alg"], issuer?.algorithms(ofKey: header["kid"]) ?? [])
        case .typeUnexpected: return ("typ", header["typ"], issuer?.policy.type.map { [$0] } ?? [])
        case .keyIDMalformed, .keyUnknown: return ("kid", header["kid"], issuer?.keyIDs ?? [])
        case .keyIDMissing:
            // Keys without ids cannot be named.
            guard let ids = issuer?.keyIDs, !ids.isEmpty else { return nil }
            return ("kid", nil, ids)
        case .criticalExtension: return ("crit", header["crit"], [])
        case .unencodedPayload: return ("b64", header["b64"], [])
        default: return nil
        }
    }
}
