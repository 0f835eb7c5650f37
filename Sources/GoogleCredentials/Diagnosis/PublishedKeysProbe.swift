import FleetEngineToken
import HTTPClient
import OpenSSLCrypto

/// Fetches the keys that Google publishes for an account, and says what is wrong if there are none.
package struct PublishedKeysProbe: Sendable {
    /// What there is.
    package enum Answer: Sendable {
        case keys([JWK])
        /// The account does not exist, since it would have keys.
        case missingAccount(ProbeFailure)
        case failed(ProbeFailure)
    }

    private let account: String
    private let fetcher: PublishedKeysFetcher

    /// A probe at a base URL, usually `https://www.googleapis.com`. Throws for a bad address or URL.
    package init(account: String, base: OutgoingURL) throws(RemoteSigningError) {
        fetcher = try PublishedKeysFetcher(account: ServiceAccountName(account), base: base)
        self.account = account
    }

    /// Fetches the keys.
    package func fetch(by send: HTTPSend) async -> Answer {
        do throws(PublishedKeysError) {
            return .keys(try await fetcher.fetch(by: send, SigningClock.system.epochSeconds).keys)
        } catch {
            let failure = ProbeFailure(error.sentence, error.remedy(account), isOutage: error.outage != nil)
            return error.isMissingAccount ? .missingAccount(failure) : .failed(failure)
        }
    }

    /// What to do about a key that is not published for an account, or another than the published one: a key that signs
    /// here, or one of Google's.
    package static func unpublished(_ account: String, isLocal: Bool) -> Remedy {
        if isLocal {
            return Remedy(
                "use a key that the account \(account) has, and that is neither disabled nor expired",
                GcloudCommand.listOrCreateKeys(of: account))
        }
        return Remedy(
            "wait a minute; if this stays, set google.iam_credentials and google.keys to one universe",
            [GcloudCommand.listGoogleKeys(of: account)])
    }
}
