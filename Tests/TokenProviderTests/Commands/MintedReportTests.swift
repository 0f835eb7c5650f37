import FleetEngineToken
import OpenSSLSigner
import Testing

@testable import StrictJSON
@testable import TokenProvider

/// How a minted token is presented.
@Suite struct MintedReportTests {
    private static let now: Int64 = 1_795_274_520

    private func report(_ claims: PrivateClaims, _ policy: TokenPolicy? = nil) throws -> MintedReport {
        let minter = TokenMinter(signer: try RS256Signer.demo(), policy: try policy ?? TokenPolicy())
        return try MintedReport(claims, by: minter, at: Self.now)
    }

    @Test func `the output is the token alone or as a Bearer header`() throws {
        let report = try report(.trip(FleetEngineID("t-1")))
        let jwt = String(decoding: report.token.jwt, as: UTF8.self)
        #expect(report.text(nil, isColoured: true) == jwt)
        #expect(report.text(.header, isColoured: true) == "Authorization: Bearer \(jwt)")
    }

    @Test func `show explains the token without its signature, coloured only on request`() throws {
        let report = try report(.everyTask)
        let text = report.text(.show, isColoured: false)
        #expect(text.hasPrefix("Header\n{\n  \"alg\": \"RS256\",\n"))
        #expect(text.contains("\"taskids\": [\"*\"]"))
        #expect(text.contains("\nTimes\niat  2026-11-21T15:17:00Z  5 min ago\n"))
        #expect(text.contains("\nexp  2026-11-21T16:17:00Z  expires in 55 min\n"))
        #expect(text.contains("\nFor\na task batch token for every task; "))
        #expect(!text.contains("eyJ"))
        #expect(report.text(.show, isColoured: true).hasPrefix("\u{1B}[1mHeader\u{1B}[0m\n"))
    }

    @Test func `JSON output contains the signed times`() throws {
        let report = try report(.server, TokenPolicy(lifetime: 900, backdate: 0))
        guard case .object(let members) = try JSONValue(parsing: Array(report.text(.json, isColoured: false).utf8)),
            case .object(let claims) = members["claims"]
        else {
            Issue.record("it is not an object with claims")
            return
        }
        #expect(members["kind"] == .string("server"))
        #expect(members["issuedAt"] == .integer(Self.now))
        #expect(members["expiresAt"] == .integer(Self.now + 900))
        #expect(claims["exp"] == members["expiresAt"])
        #expect(members["account"] == claims["iss"])
        #expect(members["token"] == .string(String(decoding: report.token.jwt, as: UTF8.self)))
    }

    @Test func `JSON output escapes characters that could disturb a terminal`() throws {
        let text = try report(.trip(FleetEngineID("a\u{202E}b"))).text(.json, isColoured: false)
        #expect(text.contains(#""authorization":{"tripid":"a\u202eb"}"#))
    }

    @Test func `wildcard kinds and tokens that Fleet Engine would refuse give warnings`() throws {
        let audience = try TokenPolicy(audience: "https://fleetengine.googleapis.com")
        let warnings = try report(.fleetReader, audience).warnings
        #expect(warnings.count == 3)
        let refusal = "Fleet Engine would refuse this token: "
        #expect(warnings[0].hasPrefix("\(refusal)iss is \"demo@not-a-real-project.invalid\""))
        #expect(warnings[1].hasPrefix("\(refusal)aud has no slash at its end; "))
        #expect(warnings[2].contains(" opens everything; keep this token on your servers"))
    }
}
