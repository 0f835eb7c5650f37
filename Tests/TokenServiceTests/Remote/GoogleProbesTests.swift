import GoogleCredentials
import HTTPClient
import TestSupport
import Testing

@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenService

/// Probes over connections that no server answers.
@Suite(.blocking) struct GoogleProbesTests {
    private let values: Configuration

    init() throws {
        var values = Configuration()
        // Nothing listens there.
        values.google.keys = try OutgoingURL("http://127.0.0.1:1")
        self.values = values
    }

    private func outcome(_ answer: PublishedKeysProbe.Answer) -> ProbeFailure? {
        if case .failed(let failure) = answer { failure } else { nil }
    }

    @Test func `after the common time nothing is waited for`() throws {
        let silent = try ListeningSocket.open(SocketAddress("127.0.0.1:0"))
        var values = values
        values.google.keys = try OutgoingURL("http://\(silent.address)")
        let probes = try GoogleProbes(values, within: .zero)
        let failure = try #require(outcome(probes.publishedKeys(of: "a@b.iam.gserviceaccount.com")))
        #expect(failure.isOutage && failure.detail.contains("no answer of Google before"))
        #expect(probes.clockDifference == nil)
    }

    @Test func `a refused connection is the client's sentence`() throws {
        let probes = try GoogleProbes(values, within: .seconds(600))
        let failure = try #require(outcome(probes.publishedKeys(of: "a@b.iam.gserviceaccount.com")))
        #expect(failure.isOutage && failure.detail == "127.0.0.1:1 cannot be reached: Connection refused")
    }

    @Test func `an address that is none is a mistake in the settings`() throws {
        let probes = try GoogleProbes(values, within: .seconds(600))
        let failure = try #require(outcome(probes.publishedKeys(of: "nobody")))
        #expect(!failure.isOutage && failure.remedy.cure.contains("sign_as"))
    }
}
