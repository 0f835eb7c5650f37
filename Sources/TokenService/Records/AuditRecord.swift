import SystemFiles
import CallerAccess
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// What became of one request for a token: who asked for what, and what the answer was. Neither a token nor a key nor
/// what a caller proved himself with is ever in it.
package struct AuditRecord: Sendable {
    /// What the caller got.
    package enum Outcome: String, CaseIterable, Sendable {
        /// A token that was signed for this request.
        case minted
        /// A token that had been signed before.
        case reused
        /// 403: no rule gives the caller this token.
        case denied
        /// 401: the caller did not prove who he is.
        case unauthenticated
        /// 429: too many requests.
        case limited
        /// Any other refusal.
        case failed
    }

    /// When it was decided, RFC 3339 in milliseconds of UTC.
    package let time: String
    package let outcome: Outcome
    /// What stands in the place of an address where there is none.
    static let socketPeer = "unix"

    /// Which request, as the answer and the log name it; nil for several.
    package let requestID: String?
    /// The client's address; nil for several.
    package let peer: String?
    /// How many refusals it stands for that have no record of their own; nil for one that is of a single request.
    package var count: Int64?
    /// Who asked, and by which proof that is known; nil for a caller who is not.
    package var principal: (name: String, source: String)?
    /// What was asked for; nil if the request did not say it well enough.
    package var claims: PrivateClaims?
    /// The rule that allowed it.
    package var rule: String?
    /// Why it was refused: a stable code, and a sentence.
    package var refusal: (code: String, reason: String)?
    /// The token that was given.
    var token: AuditedToken?

    /// A record of now, unless another time is given.
    package init(
        _ outcome: Outcome, requestID: String?, peer: String?, time: String = CivilTime.rfc3339(SystemClock.now())
    ) {
        (self.outcome, self.requestID, self.peer, self.time) = (outcome, requestID, peer, time)
    }

    /// How a record names a principal; nil for one whom nobody asked for a proof.
    package static func named(_ principal: Principal) -> (name: String, source: String)? {
        principal.source == .anonymous ? nil : (principal.name, principal.source.description)
    }
}

/// What a record says of a token, by which its bearer's use of it can be found, but which is not the token.
struct AuditedToken: Hashable, Sendable {
    /// The first 16 bytes of the token's SHA-256, as hexadecimal digits.
    let fingerprint: String
    /// The signed `exp`, in seconds since the epoch.
    let expiresAt: Int64

    /// What is said of this token; takes about a microsecond, so whoever gives a token often keeps it.
    init(_ token: MintedToken) {
        fingerprint = HexadecimalDigit.text(of: SHA256Digest(of: token.jwt).bytes.span.extracting(first: 16))
        expiresAt = token.expiresAt
    }
}
