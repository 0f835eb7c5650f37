import StrictJSON
import FleetEngineToken

/// A token, or a text taken for one, with all findings but those about its key.
package struct InspectedToken: Sendable {
    /// The member of a pasted JSON text that holds the token; nil if the token came alone.
    package private(set) var member: String?
    /// The header's members; nil if it cannot be read.
    package private(set) var header: JSONObject?
    /// The claims; nil if they cannot be read.
    package private(set) var claims: JSONObject?
    /// What the token is for; nil if its claims match no kind of token.
    package private(set) var purpose: TokenPurpose?
    /// The issuer whose callers' tokens token-provider takes, if this is one of those.
    package private(set) var callersIssuer: String?
    /// Its times; nil if the claims cannot be read.
    package private(set) var times: TokenTimes?
    /// What a signature can be verified over; nil if a part cannot be decoded or the signature is empty.
    package private(set) var signed: SignedMessage?
    /// All findings, in the order in which a token is read.
    package private(set) var findings: [TokenFinding] = []

    private static let table = StructureFindings()
    /// What the configuration alone can tell.
    private static let callersToken = FindingRow(
        "callers_token", at: "iss",
        "this is an ID token of the configured issuer {0}: it is for token-provider, not for Fleet Engine",
        fix:
            "send it to /token, which answers with a token for Fleet Engine, or ask token-provider explain why that is "
            + "refused")
    private static let knownClaims: Set<JSONName> = [
        "iss", "sub", "aud", "iat", "nbf", "exp", "authorization", "scope",
    ]

    /// Whether there is a reason for Fleet Engine to refuse the token.
    package var isRefused: Bool { findings.contains { $0.severity == .refused } }

    /// The header's `kid`; nil if there is none.
    package var keyID: String? { header?["kid"]?.text }

    /// The claim `iss`; nil if there is none.
    package var issuer: String? { claims?["iss"]?.text }

    /// Inspects a pasted text, at `now` in seconds since the epoch; `cure` knows what to do about an error's code, and
    /// `issuer` which configured issuer made a token with these claims, if one did.
    package init(
        of text: [UInt8], at now: Int64, cure: (String) -> String? = { _ in nil },
        issuer: (JSONObject) -> String? = { _ in nil }
    ) {
        switch PastedText(text) {
        case .error(let code, let detail): findings = [PastedText.table.error(code, detail, cure: cure(code))]
        case .other(let finding): findings = [finding]
        case .token(let token, let member, let findings):
            (self.member, self.findings) = (member, findings)
            do {
                try inspect(CompactJWSParts(splitting: token), at: now, issuer)
            } catch {
                self.findings.append(Self.table.finding(error))
            }
        }
    }

    private mutating func inspect(
        _ parts: CompactJWSParts, at now: Int64, _ issuer: (JSONObject) -> String?
    ) {
        header = noting { () throws(CompactJWSError) in try CompactJWSParts.object(in: parts.header, part: .header) }
        claims = noting { () throws(CompactJWSError) in try CompactJWSParts.object(in: parts.payload, part: .payload) }
        let signature = noting { () throws(CompactJWSError) in
            try CompactJWSParts.bytes(of: parts.signature, part: .signature)
        }
        if let claims, let issuer = issuer(claims) {
            // Nothing about it matters to Fleet Engine, which never gets it.
            (callersIssuer, times) = (issuer, TimesInspection(claims, at: now).times)
            return findings.append(Self.callersToken(Quoted.text(issuer)))
        }
        if let header { findings += HeaderInspection.findings(header) }
        if let claims { inspect(claims, at: now) }
        if let signature { inspect(signature, of: parts) }
    }

    private mutating func inspect(_ claims: JSONObject, at now: Int64) {
        let times = TimesInspection(claims, at: now)
        let authorization = AuthorizationInspection(claims)
        self.times = times.times
        purpose = authorization.purpose
        findings += RegisteredClaimsInspection.findings(claims) + times.findings + authorization.findings
        let known = authorization.explained.union(Self.knownClaims)
        findings += JSONText.ordered(claims).map(\.name).filter { !known.contains($0) }.map { name in
            Self.table.unknownClaim(Quoted.text(name.text), about: JSONText.bare(name))
        }
    }

    private mutating func inspect(_ signature: [UInt8], of parts: CompactJWSParts) {
        guard !signature.isEmpty else { return findings.append(Self.table.signatureMissing()) }
        signed = SignedMessage(signingInput: parts.signingInput, signature: signature)
        guard header?["alg"] == .string("RS256"), signature.count != 256 else { return }
        let row = signature.count > 256 ? Self.table.signatureLong : Self.table.signatureShort
        findings.append(row("\(signature.count)"))
    }

    /// The result of `body`; nil and a finding if it throws.
    private mutating func noting<Value>(_ body: () throws(CompactJWSError) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            findings.append(Self.table.finding(error))
            return nil
        }
    }
}

/// Bytes and their claimed signature.
package struct SignedMessage: Sendable {
    /// Header, dot and payload as they came (RFC 7515 section 5.1).
    package let signingInput: [UInt8]
    /// The signature, decoded, never empty.
    package let signature: [UInt8]
}

/// A token, its signature, and all findings about both.
package struct InspectionReport: Sendable {
    package let token: InspectedToken
    package let signature: SignatureCheck

    /// Inspects a pasted text, at `now` in seconds since the epoch, and verifies its signature if there are keys; `cure`
    /// knows what to do about an error's code, and `issuer` which configured issuer made a token.
    package init(
        of text: [UInt8], at now: Int64, keys: KeyFile?, cure: (String) -> String? = { _ in nil },
        issuer: (JSONObject) -> String? = { _ in nil }
    ) {
        token = InspectedToken(of: text, at: now, cure: cure, issuer: issuer)
        signature = SignatureCheck(of: token, by: keys)
    }

    package var findings: [TokenFinding] { token.findings + signature.findings }

    /// Whether there is a reason for Fleet Engine to refuse the token.
    package var isRefused: Bool {
        signature.status == .wrong || findings.contains { $0.severity == .refused }
    }
}
