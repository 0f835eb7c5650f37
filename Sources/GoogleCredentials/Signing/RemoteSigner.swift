import FleetEngineToken
import HTTPClient

/// Signs as a service account through IAM Credentials `signJwt`: the key stays with Google.
///
/// The completion of `sign` is called on the HTTP client's thread, or on the caller's before `sign` returns if the
/// signature is refused at once.
package final class RemoteSigner: RemoteTokenSigner {
    package let account: String
    /// The account's keys, by which tokens are verified and which are published.
    package let keys: PublishedKeys

    let call: SignJWTCall
    let tokens: any AccessTokenProviding
    let governor: SigningGovernor
    let send: HTTPSend
    let clock: SigningClock
    let checkedHeader = SignedJWT.CheckedHeader()

    /// A signer for the account. `delegates` are the accounts of a delegation chain in order, each as an e-mail address or
    /// `projects/-/serviceAccounts/EMAIL`; `endpoint` is usually `https://iamcredentials.googleapis.com`; `caller` is whose
    /// access tokens these are, and `project` that of calls with them. Throws for a bad address or URL.
    package init(
        account: String, delegates: [String], endpoint: OutgoingURL, caller: IAMMember, project: QuotaProject?,
        tokens: any AccessTokenProviding, keys: PublishedKeys, governor: SigningGovernor,
        send: @escaping HTTPSend, clock: SigningClock = .system
    ) throws(RemoteSigningError) {
        call = try SignJWTCall(account: account, delegates: delegates, base: endpoint, caller: caller, project: project)
        self.account = account
        (self.tokens, self.keys, self.governor, self.send, self.clock) = (tokens, keys, governor, send, clock)
    }

    /// Signs the claims within 10 s for a request and 60 s for a refresh.
    package func sign(
        _ claims: [UInt8], _ urgency: SigningUrgency,
        _ completion: @escaping @Sendable (Result<[UInt8], RemoteSigningError>) -> Void
    ) {
        do throws(RemoteSigningError) {
            try governor.enter(urgency, for: account)
        } catch {
            return completion(.failure(error))
        }
        let signature = RemoteSignature(signer: self, claims: claims, urgency: urgency) { [governor, account] result in
            governor.leave(urgency, for: account)
            completion(result)
        }
        signature.attempt()
    }
}

/// Access tokens (RFC 6750) for calls to Google, which the implementation obtains and renews.
package protocol AccessTokenProviding: Sendable {
    /// The current token and when it expires, in seconds since the epoch. The completion is called exactly once: before
    /// this returns if a token is cached, otherwise on any thread.
    func token(
        _ completion: @escaping @Sendable (Result<(token: Secret, expiresAt: Int64), RemoteSigningError>) -> Void)
    /// Google refused the current token (401), so the next call must get a new one.
    func reject()
}
