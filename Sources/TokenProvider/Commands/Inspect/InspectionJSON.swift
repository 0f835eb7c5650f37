import FleetEngineToken
import StrictJSON
import TokenInspection

extension InspectionReport {
    /// For programs: one object on one line; Commands.md lists its members. It is escaped for a terminal and does not have
    /// the signature.
    var json: String {
        JSONText.object { json in
            json.member("member", optional: token.member)
            json.member("header", token.header.map(JSONValue.object) ?? .null)
            json.member("claims", token.claims.map(JSONValue.object) ?? .null)
            json.member(token.times)
            json.member(token.purpose)
            json.member("signature") { json in
                json.member("status", signature.status.rawValue)
                json.member("sentence", signature.sentence)
            }
            json.member("findings", findings) { json, finding in
                json.member("code", finding.code)
                json.member("severity", finding.severity.rawValue)
                json.member("claim", optional: finding.claim)
                json.member("problem", finding.problem)
                json.member("fix", finding.fix)
            }
            json.member("refused", isRefused)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ times: TokenTimes?) {
        guard let times else { return member("times", JSONValue.null) }
        member("times") { json in
            for (name, seconds) in [
                ("now", times.now), ("iat", times.issuedAt), ("nbf", times.notBefore), ("exp", times.expiresAt),
            ] {
                guard let seconds else {
                    json.member(name, JSONValue.null)
                    continue
                }
                json.member(name) { json in
                    json.member("seconds", seconds)
                    json.member("utc", CivilTime(clamping: seconds).rfc3339)
                }
            }
        }
    }

    fileprivate mutating func member(_ purpose: TokenPurpose?) {
        guard let purpose else { return member("purpose", JSONValue.null) }
        member("purpose") { json in
            json.member("kinds", purpose.kinds.map(\.rawValue))
            json.member("roles", purpose.kinds.compactMap(\.role))
            json.member("sentence", purpose.sentence)
        }
    }
}
