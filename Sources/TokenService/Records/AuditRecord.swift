import SystemFiles
import CallerAccess
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// The record of one token request: the caller, what it asked for, and the result. It never contains a token, a key or
/// credentials.
package struct AuditRecord: Sendable {
    /// The result for the caller.
    package enum Outcome: String, CaseIterable, Sendable {
        /// A token that was signed for this request.
        case minted
        /// A token that had been signed before.
        case reused
        /// 403: no rule gives the caller this token.
        case denied
        /// 401: the caller is not authenticated.
        case unauthenticated
        /// 429: too many requests.
        case limited
        /// Any other refusal.
        case failed
    }

    /// The time of the decision, RFC 3339 in milliseconds of UTC.
    package let time: String
    package let outcome: Outcome
    /// The peer of requests from a unix socket.
    static let socketPeer = "unix"

    /// This server's own id of the request, as in the log; nil for several requests.
    package let requestID: String?
    /// The id that the client gave the request, as in the answer; nil if it gave none.
    var clientRequestID: String?
    /// The client's address; nil for several clients.
    package let peer: String?
    /// The number of refusals without their own record; nil for a single request.
    package var count: Int64?
    /// The caller, and the source of its credentials; nil if not authenticated.
    package var principal: (name: String, source: String)?
    /// What the request asked for; nil if it was malformed.
    package var claims: PrivateClaims?
    /// The rule that allowed it.
    package var rule: String?
    /// The reason of a refusal: a stable code, and a sentence.
    package var refusal: (code: String, reason: String)?
    /// The token that was handed out.
    var token: AuditedToken?

    package init(
        _ outcome: Outcome, requestID: String?, peer: String?, time: String = CivilTime.rfc3339(SystemClock.now())
    ) {
        (self.outcome, self.requestID, self.peer, self.time) = (outcome, requestID, peer, time)
    }

    /// A principal's name and source; nil if callers are not authenticated.
    package static func named(_ principal: Principal) -> (name: String, source: String)? {
        principal.source == .anonymous ? nil : (principal.name, principal.source.description)
    }
}

/// Identifies a token in a record without containing it.
struct AuditedToken: Hashable, Sendable {
    /// The first 16 bytes of the token's SHA-256, as hexadecimal digits.
    let fingerprint: String
    /// The signed `exp`, in seconds since the epoch.
    let expiresAt: Int64
    /// The service account that signed it, `iss`.
    let signer: String

    /// Hashing takes about a microsecond.
    init(_ jwt: ArraySlice<UInt8>, _ times: SignedTimes, by signer: String) {
        self.signer = signer
        fingerprint = HexadecimalDigit.text(of: SHA256Digest(of: Array(jwt)).bytes.span.extracting(first: 16))
        expiresAt = times.expiresAt
    }
}

extension CallerProblem {
    /// The outcome in the audit log.
    var auditOutcome: AuditRecord.Outcome {
        switch self {
        case .unauthenticated, .invalidCredentials: .unauthenticated
        case .notAllowed, .notAllowedWithoutCredentials, .callerRequired: .denied
        case .limited: .limited
        case .checkUnavailable, .auditUnavailable: .failed
        }
    }
}
