/// Signs with a key that another service holds, such as IAM Credentials `signJwt` (FleetEngineContract.md, "Remote
/// signing"), or hardware.
package protocol RemoteTokenSigner: Sendable {
    /// The service account's e-mail address, a token's `iss` and `sub`.
    var account: String { get }
    /// The key's id, the header's `kid`; empty if the service chooses the key.
    var keyID: String { get }
    /// Signs the claim set, a JSON object: a compact JWS whose header, claims and signature were verified.
    func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8]
}

extension RemoteTokenSigner {
    package var keyID: String { "" }
}

/// Whether a request waits for a signature.
package enum SigningUrgency: Hashable, Sendable {
    /// A request waits.
    case request
    /// A cached token is renewed in the background; waiting requests come first.
    case refresh
}

/// Why a remote signer made no signature.
package struct RemoteSigningError: Error, Hashable, Sendable {
    /// One sentence for the operator's log. It holds nothing secret.
    package let reason: String
    /// Seconds after which another try may succeed, at least 1; nil if only the operator can fix the cause.
    package let retryAfter: Int?
    /// What the operator does about it, unless the next try succeeds.
    package let remedy: Remedy
    /// Whether a limit of ours refused it, which says nothing of the signer.
    package let isOurLimit: Bool

    /// An error with this sentence.
    package init(reason: String, retryAfter: Int?, _ remedy: Remedy, isOurLimit: Bool = false) {
        self.reason = reason
        self.retryAfter = retryAfter.map { max(1, $0) }
        self.remedy = remedy
        self.isOurLimit = isOurLimit
    }
}
