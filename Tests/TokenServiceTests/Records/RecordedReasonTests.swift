import FleetEngineToken
import OpenSSLCrypto
import TestSupport
import Testing

@testable import AuditLog
@testable import CallerAccess
@testable import StrictJSON
@testable import TokenService

/// The audit log cuts texts that are long or seem to contain an API key; no reason of our own may be one.
@Suite struct RecordedReasonTests {
    private static let longName = String(repeating: "n", count: 64)

    private func expectRecorded(_ reason: String) throws {
        var record = AuditRecord(.unauthenticated, requestID: "r", peer: "p")
        record.refusal = ("code", reason)
        let members = try object(AuditChain.beginning.next(record.opening()).line)
        #expect(members["reason"] as? String == reason)
    }

    @Test(arguments: APIKeyFault.allCases)
    func `the reason of a refused API key is recorded whole`(fault: APIKeyFault) throws {
        try expectRecorded(APIKeyRefusal(fault).sentence)
        try expectRecorded(APIKeyRefusal(fault, name: Self.longName, expiredAt: 1_800_000_000).sentence)
    }

    @Test(arguments: BearerTokenFault.allCases)
    func `the reason of a refused bearer token is recorded whole`(fault: BearerTokenFault) throws {
        func policy(_ name: String) throws -> TrustedIssuer {
            TrustedIssuer(
                try IssuerPolicy(
                    issuer: "https://id.example.com/realms/\(name)",
                    audiences: ["fleet", "riders", "drivers", "partners"],
                    algorithms: [.rs256, .es256], type: "at+jwt"))
        }
        let issuers = try ["fleet", "riders", "drivers", "partners"].map(policy)
        try expectRecorded(BearerTokenRefusal(fault).sentence)
        // The longest value, one that is escaped, one of another type, one with an API key, and none.
        for value in [
            "\"\(String(repeating: "\u{1F697}", count: 200))\"", "\"\(String(repeating: "\\u001b", count: 200))\"",
            "[17, null, 1.5]", "\"xtpk_tpk_canary\"", nil,
        ] {
            let names = ["alg", "typ", "kid", "crit", "b64", "iss", "aud", "exp", "nbf", "iat"]
            let members = names.compactMap { name in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            guard case .object(let part) = try JSONValue(parsing: Array("{\(members)}".utf8)) else {
                Issue.record("not an object: \(members)")
                return
            }
            let content = RefusedContent(header: part, claims: part, issuers: issuers, now: 1_800_000_000)
            for issuer in [nil, issuers[0]] {
                let refusal = BearerTokenRefusal(fault, issuer: issuer, content: content)
                try expectRecorded(refusal.sentence)
                try expectRecorded(refusal.explanation)
            }
        }
    }

    @Test(arguments: [1, 2, 10, 1000])
    func `the reason of a request denied by many rules is recorded whole`(rules: Int) throws {
        let wanted = PrivateClaims.trip(try FleetEngineID("trip-1"))
        let denials = (0..<rules).map { _ in AccessDenial(.notOfCaller, rule: Self.longName, wanted) }
        try expectRecorded(denials.sentences(maxBytes: AuditRecord.maxReason))
    }
}
