import StrictJSON

/// A token, or what was taken for one, with everything that is to be said of it but whether its signature is right.
package struct TokenInspection: Sendable {
    /// The member of a pasted JSON text in which the token stood; nil if it stood alone.
    package private(set) var member: String?
    /// The header's members; nil where they could not be read.
    package private(set) var header: JSONObject?
    /// The claims; nil where they could not be read.
    package private(set) var claims: JSONObject?
    /// What the token is for; nil where its claims mean no kind of token.
    package private(set) var purpose: TokenPurpose?
    /// Its times; nil where there are no claims.
    package private(set) var times: TokenTimes?
    /// What a signature can be verified over; nil where a part cannot be decoded or the signature is empty.
    package private(set) var signed: SignedMessage?
    /// All that is to be said, in the order in which a token is read.
    package private(set) var findings: [TokenFinding] = []

    /// Whether there is a reason for Fleet Engine to refuse the token.
    package var isRefused: Bool { findings.contains { $0.severity == .refused } }

    /// The header's `kid`; nil where there is none.
    package var keyID: String? {
        guard case .string(let text) = header?["kid"] else { return nil }
        return text
    }

    /// The claim `iss`; nil where there is none.
    package var issuer: String? {
        guard case .string(let text) = claims?["iss"] else { return nil }
        return text
    }

    /// Inspects a text as somebody pasted it, at `now` in seconds since the epoch.
    package init(of text: [UInt8], at now: Int64) {
        switch PastedText(text) {
        case .other(let finding): findings = [finding]
        case .token(let token, let member, let wasBroken):
            self.member = member
            do {
                try inspect(CompactJWSParts(splitting: token), at: now)
            } catch {
                findings.append(TokenFinding(error))
            }
            if wasBroken { findings.append(.brokenApart) }
        }
    }

    private mutating func inspect(_ parts: CompactJWSParts, at now: Int64) {
        header = noting { () throws(CompactJWSError) in try CompactJWSParts.object(in: parts.header, part: .header) }
        claims = noting { () throws(CompactJWSError) in try CompactJWSParts.object(in: parts.payload, part: .payload) }
        let signature = noting { () throws(CompactJWSError) in
            try CompactJWSParts.bytes(of: parts.signature, part: .signature)
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
        let known = authorization.explained.union([
            "iss", "sub", "aud", "iat", "nbf", "exp", "authorization", "scope",
        ])
        findings += JSONText.ordered(claims).map(\.name).filter { !known.contains($0) }.map(TokenFinding.unknownClaim)
    }

    private mutating func inspect(_ signature: [UInt8], of parts: CompactJWSParts) {
        guard !signature.isEmpty else { return findings.append(.signatureMissing) }
        signed = SignedMessage(signingInput: parts.signingInput, signature: signature)
        if header?["alg"] == .string("RS256"), signature.count != 256 {
            findings.append(.signatureLength(signature.count))
        }
    }

    /// What `body` makes; nil and a finding if it makes nothing.
    private mutating func noting<Value>(_ body: () throws(CompactJWSError) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            findings.append(TokenFinding(error))
            return nil
        }
    }
}

/// Bytes and the signature that is said to be theirs.
package struct SignedMessage: Sendable {
    /// Header, dot and payload as they came (RFC 7515 section 5.1).
    package let signingInput: [UInt8]
    /// The signature, decoded, never empty.
    package let signature: [UInt8]
}
