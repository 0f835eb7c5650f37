import FleetEngineToken
import HTTPClient

/// Signs as a service account through IAM Credentials `signJwt`: the key stays with Google.
package final class RemoteSigner: RemoteTokenSigner {
    package let account: String
    /// The account's keys, by which tokens are verified and which are published.
    package let keys: PublishedKeys

    let call: SignJWTCall
    let tokens: AccessTokenSource
    let credentials: AccessCredentials
    let governor: SigningGovernor
    let send: HTTPSend
    let clock: SigningClock

    /// A signer for the account. `delegates` are the accounts of a delegation chain in order, each as an e-mail address or
    /// `projects/-/serviceAccounts/EMAIL`; `endpoint` is usually `https://iamcredentials.googleapis.com`; `caller` is whose
    /// access tokens these are, got with these credentials, and `project` that of calls with them. Throws for a bad address
    /// or URL.
    package init(
        account: String, delegates: [String], endpoint: OutgoingURL, caller: IAMMember, project: QuotaProject?,
        tokens: AccessTokenSource, of credentials: AccessCredentials, keys: PublishedKeys, governor: SigningGovernor,
        send: @escaping HTTPSend, clock: SigningClock = .system
    ) throws(RemoteSigningError) {
        call = try SignJWTCall(account: account, delegates: delegates, base: endpoint, caller: caller, project: project)
        self.account = account
        (self.tokens, self.credentials, self.keys, self.governor) = (tokens, credentials, keys, governor)
        (self.send, self.clock) = (send, clock)
    }

    /// Signs the claims within 10 s for a request and 60 s for a refresh.
    package func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8] {
        try governor.enter(urgency, for: account)
        defer { governor.leave(urgency, for: account) }
        var signature = RemoteSignature(signer: self, claims: claims, urgency: urgency)
        return try await signature.make()
    }
}
