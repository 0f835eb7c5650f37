import Foundation
import HTTPServerTLS
import TestSupport
import Testing

@testable import TokenProvider

/// When certificates, lists and API keys should have been renewed.
@Suite struct RenewalBoundTests {
    private static let rules = DocumentationPage.repository.appending(path: "config/prometheus/rules.yaml")

    @Test(
        arguments: zip(
            ["certificate", "ocsp_response", "client_authority", "revocation_list", "api_key"],
            [RenewalBound.certificate, .ocspResponse, .clientAuthority, .revocationList, .apiKey]))
    func `warnings have the bounds of the alerts`(kind: String, bound: RenewalBound) throws {
        let metric = "token_provider_\(kind)_remaining_seconds"
        let expression = try #require(
            String(contentsOf: Self.rules, encoding: .utf8).components(separatedBy: "- alert: ")
                .first { $0.contains("ExpiresSoon\n") && $0.contains("\(metric) <") })
        let pattern = try Regex("\(metric) < (?:(\\d+) \\* )?(\\d+)")
        let match = try #require(expression.firstMatch(of: pattern))
        let factors = match.output.compactMap { $0.substring.flatMap { Int64($0) } }
        #expect(factors.reduce(1, *) == bound.seconds)
        #expect(expression.contains("0.25 *") == (bound.part == 4))
    }

    @Test func `short lifetimes have short bounds`() {
        let day: Int64 = 86_400
        #expect(RenewalBound.certificate.includes(13 * day, of: 90 * day))
        #expect(!RenewalBound.certificate.includes(15 * day, of: 90 * day))
        #expect(!RenewalBound.certificate.includes(25_000, of: day))
        #expect(RenewalBound.certificate.includes(21_000, of: day))
        #expect(RenewalBound.clientAuthority.includes(13 * day, of: 30 * day))
        #expect(!RenewalBound.revocationList.includes(7000, of: day))
    }

    @Test func `API keys are due until a day after their end`() {
        #expect(!Expiration.isDue(apiKeyIn: 8 * 86_400))
        #expect(Expiration.isDue(apiKeyIn: 6 * 86_400) && Expiration.isDue(apiKeyIn: -80_000))
        #expect(!Expiration.isDue(apiKeyIn: -90_000))
    }
}
