import FleetEngineToken
import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import GoogleCredentials
@testable import ServiceConfiguration
@testable import TokenService

/// What a reload keeps of remote signing. Google is not asked.
@Suite struct RemoteSigningTests {
    private static let exhausted = RemoteSigningError(reason: "Google's words", retryAfter: 7, .later)

    private static let now = SigningClock.system.monotonic

    private let folder: Scratch
    private var values = Configuration()

    init() throws {
        folder = try Scratch()
        let credentials =
            #"{"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"}"#
        values.credentials = try folder.write("adc.json", credentials)
        values.signAs = "driver-tokens@my-fleet.iam.gserviceaccount.com"
    }

    private func signing(
        after previous: RemoteSigning? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> RemoteSigning {
        var values = values
        change(&values)
        let configuration = values
        let loaded = LoadedConfiguration(
            configuration: configuration, signers: Signers(trying: configuration))
        return try #require(
            try RemoteSigning.make(loaded, after: previous, governor: previous?.governor, logger: .silent))
    }

    private func accessTokens(of signing: RemoteSigning) throws -> AccessTokenSource {
        let loaded = LoadedConfiguration(
            configuration: values, signers: Signers(trying: values))
        let account = try #require(loaded.signers.remote[.driver])
        return try #require(signing.accessTokens(of: account))
    }

    @Test func `unchanged settings keep everything`() throws {
        let first = try signing()
        #expect(try signing(after: first) === first)
    }

    @Test func `a quota at the bounds of its settings is accepted`() throws {
        #expect(try signing { ($0.signing.quota, $0.signing.quotaShare) = (1, 0.001) }.figures.available == 1)
        #expect(try signing { ($0.signing.quota, $0.signing.quotaShare) = (10_000_000, 1) }.figures.available > 1)
    }

    @Test func `other settings keep what is left of the quota`() throws {
        let first = try signing()
        let full = first.figures.available
        first.governor.exhausted(for: .seconds(60), Self.exhausted, at: Self.now())
        let second = try signing(after: first) { $0.delegates = ["a@my-fleet.iam.gserviceaccount.com"] }
        #expect(second !== first && second.governor === first.governor)
        #expect(full > 0 && second.figures.available == 0)
    }

    @Test func `other settings keep access tokens, published keys and connections`() throws {
        let first = try signing()
        let second = try signing(after: first) { $0.delegates = ["a@my-fleet.iam.gserviceaccount.com"] }
        #expect(try accessTokens(of: second) === accessTokens(of: first))
        #expect(second.publishedKeys.map(\.account) == [values.signAs])
        #expect(second.publishedKeys.first === first.publishedKeys.first)
    }

    @Test func `other endpoints keep no tokens or keys`() throws {
        let first = try signing()
        let endpoint = try OutgoingURL("https://iamcredentials-fleet.p.googleapis.com")
        let second = try signing(after: first) {
            $0.google.iamCredentials = endpoint
        }
        #expect(try accessTokens(of: second) !== accessTokens(of: first))
        #expect(second.publishedKeys.first !== first.publishedKeys.first)
    }

    @Test func `a removed account's open circuit breaker ends with its removal`() throws {
        let first = try signing()
        for _ in 0..<CircuitBreaker.minCalls {
            first.governor.ended(
                try first.governor.admit(.request, for: "a", at: Self.now()), .failure, for: "a", at: Self.now())
        }
        let second = try signing(after: first) { $0.signAs = "other@my-fleet.iam.gserviceaccount.com" }
        #expect(second.accounts == ["other@my-fleet.iam.gserviceaccount.com"])
        #expect(second.figures.isPaused)
        second.start()
        #expect(!second.figures.isPaused)
    }

    @Test func `another quota goes on with what is left`() throws {
        let first = try signing()
        first.governor.exhausted(for: .seconds(60), Self.exhausted, at: Self.now())
        for change in [{ $0.signing.quota = 600 }, { $0.signing.quotaShare = 0.5 }]
            as [(inout Configuration) -> Void]
        {
            let second = try signing(after: first, change)
            second.start()
            #expect(second.governor === first.governor && second.figures.available == 0)
        }
    }

    @Test func `a lower quota binds once it is started`() throws {
        let first = try signing()
        let full = first.figures.available
        let second = try signing(after: first) { $0.signing.quota = 70 }
        #expect(first.figures.available == full)
        second.start()
        #expect(second.figures.available == 10)
    }
}
