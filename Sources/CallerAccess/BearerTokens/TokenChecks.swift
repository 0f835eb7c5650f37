import FleetEngineToken
import StrictJSON

extension BearerTokenVerifier {
    /// Each condition of a token in the order of the decision, those after an unmet one too, and the claims that could be read.
    package func checks(of token: BearerToken, at now: Int64) -> (checks: [DecisionCheck], claims: JSONObject) {
        guard token.bytes.count <= Self.maxTokenBytes else { return ([.unmet("form", .tooLong)], [:]) }
        let parts: CompactJWS
        do throws(CompactJWSError) {
            parts = try CompactJWS(parsing: token.bytes)
        } catch {
            return ([.unmet("form", BearerTokenFault(error))], [:])
        }
        let content = content(of: parts, at: now)
        do throws(BearerTokenFault) {
            return (try issuer(of: parts).checks(of: parts, content, in: token.place, at: now), parts.claims)
        } catch {
            return ([.unmet("issuer", error, content)], parts.claims)
        }
    }
}

extension TrustedIssuer {
    fileprivate func checks(
        of token: CompactJWS, _ content: RefusedContent, in place: TokenPlace, at now: Int64
    ) -> [DecisionCheck] {
        let claims = token.claims
        var checks = [DecisionCheck("issuer", true, ReceivedValue.text(.string(policy.issuer)))]
        func check(_ name: String, _ detail: String, _ condition: () throws(BearerTokenFault) -> Void) {
            do throws(BearerTokenFault) {
                try condition()
                checks.append(DecisionCheck(name, true, detail))
            } catch {
                checks.append(.unmet(name, error, content, self))
            }
        }
        if !policy.takesTokens(in: place) { checks.append(.unmet("header", .headerUnexpected, content, self)) }
        let header = ["alg", "kid"].map { Self.shown($0, token.header[$0]) }.joined(separator: ", ")
        check("signature", header) { () throws(BearerTokenFault) in _ = try signer(of: token) }
        check("expiry", content.moment("exp", .down).map { "exp is \($0.text)" } ?? "") {
            () throws(BearerTokenFault) in
            try BearerTokenTimes(claims).check(at: now, leeway: policy.leeway)
        }
        if policy.trustDomain != nil {
            check("subject", Self.shown("sub", claims["sub"])) { () throws(BearerTokenFault) in
                try policy.checkSubject(of: claims)
            }
        }
        if !policy.tenants.isEmpty {
            check("tenant", Self.shown("tid", claims["tid"])) { () throws(BearerTokenFault) in
                _ = try policy.tenant(of: claims)
            }
        }
        check("audience", Self.shown(policy.audienceClaim, claims[policy.audienceClaim])) {
            () throws(BearerTokenFault) in
            try policy.checkAudience(of: claims)
        }
        checks.append(DecisionCheck("authorized party", nil, Self.shown("azp", claims["azp"])))
        do throws(BearerTokenFault) {
            _ = try policy.name(in: claims)
        } catch {
            checks.append(.unmet("principal", error, content, self))
        }
        return checks
    }

    private static func shown(_ name: JSONName, _ value: JSONValue?) -> String {
        value.map { "\(name.text) is \(ReceivedValue.text($0))" } ?? "no \(name.text)"
    }
}

extension DecisionCheck {
    fileprivate static func unmet(
        _ name: String, _ fault: BearerTokenFault, _ content: RefusedContent? = nil, _ issuer: TrustedIssuer? = nil
    ) -> DecisionCheck {
        DecisionCheck(name, false, "it " + (content?.predicate(of: fault, issuer) ?? fault.predicate))
    }
}
