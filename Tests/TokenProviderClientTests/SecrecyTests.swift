import Foundation
import Testing

@testable import TokenProviderClient

/// A token's text appears where an app asks for it, and nowhere else.
@Suite struct SecrecyTests {
    private static let secret = "head.canary.signature"

    private func dumped(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) \(String(describing: value))"
        dump(value, to: &text)
        return text
    }

    @Test func `descriptions, dump and mirrors leave the token out`() async throws {
        let clock = ManualClock()
        let now = clock.now
        let server = FakeServer { _, _ in .token(Self.secret, until: now.wall + 3600, at: now.wall) }
        let client = TokenProviderClient(
            url: URL(filePath: "/"), clock: clock.clock, transport: server.transport,
            credentials: { _ in "credentials-canary" })
        let token = try await client.token(for: .vehicle("v"))
        #expect(token.string == Self.secret)
        let lease = TokenLease(
            Self.secret, kind: .driver, expiration: now.wall + 60, answered: now.wall, requested: now, random: 0)
        for value in [token, [token], Optional(token) as Any, ["a": token], client, lease as Any] {
            let text = dumped(value)
            #expect(!text.contains("canary"), "\(text)")
        }
        #expect(dumped(token).contains("driver"))
    }

    @Test func `errors leave credentials out`() async throws {
        struct Leaky: Error, CustomStringConvertible { let description = "credentials-canary" }
        let error = TokenProviderError.noCredentials(Leaky())
        #expect(error.description == "the app gave no credentials: its closure threw Leaky; expected a bearer token")
        #expect(error.localizedDescription == error.description)
    }

    @Test func `an error says what is wrong, with the server's code and detail`() {
        let problem = HTTPAnswer.problem(429, "principal_limited").problem
        #expect(
            TokenProviderError.limited(problem, retryAfter: 6.2).description
                == "there were too many requests for tokens: A sentence. (principal_limited); "
                + "expected no request for 7 s")
        #expect(TokenProviderError.forbidden(problem).problem == problem)
        #expect(TokenProviderError.malformedCredentials.problem == nil)
    }
}
