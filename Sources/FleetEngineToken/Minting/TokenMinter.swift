import StrictJSON

/// Makes tokens for one signer and one policy: claims and times -> bytes to sign -> signed token.
///
/// The encoded header and the beginning of the payload are the same in all its tokens and are written only once.
package final class TokenMinter: Sendable {
    /// What is signed besides the private claims and the time.
    package let profile: SigningProfile
    /// Whether another service holds the key: then only `mintRemotely` makes tokens.
    package let isRemote: Bool

    let signer: any TokenSigner
    /// The signer, if it can sign batches.
    let batchSigner: (any BatchTokenSigner)?
    /// Nil if the key is local.
    private let remote: (any RemoteTokenSigner)?
    /// The header and its dot, base64url.
    private let encodedHeader: [UInt8]
    /// The beginning of a payload, up to `aud`.
    private let openPayload: JSONWriter

    /// A minter that signs with this signer, by this policy.
    package init(signer: any TokenSigner, policy: TokenPolicy) {
        (self.signer, batchSigner) = (signer, signer as? any BatchTokenSigner)
        (remote, isRemote) = (nil, false)
        profile = SigningProfile(account: signer.account, keyID: signer.keyID, policy: policy)
        encodedHeader = Self.encodedHeader(keyID: signer.keyID)
        openPayload = Self.openPayload(account: signer.account, audience: policy.audience)
    }

    /// A minter for a key that another service or hardware holds, by this policy. The signer writes the header.
    package init(remote: any RemoteTokenSigner, policy: TokenPolicy) {
        let absent = AbsentKey(account: remote.account)
        (signer, batchSigner) = (absent, nil)
        (self.remote, isRemote) = (remote, true)
        profile = SigningProfile(account: remote.account, keyID: remote.keyID, policy: policy)
        encodedHeader = []
        openPayload = Self.openPayload(account: remote.account, audience: policy.audience)
    }

    /// A signed token with these claims; `now` is in seconds since the epoch. Throws if the claims must not be signed at
    /// this time or the signer fails.
    package func mint(_ privateClaims: PrivateClaims, at now: Int64) throws(SigningError) -> MintedToken {
        let claims = try ClaimSet(privateClaims, policy: profile.policy, at: now)
        let input = signingInput(claims)
        let signature = try signer.sign(input)
        guard !signature.isEmpty else {
            throw SigningError(reason: "the signer returned no bytes; expected a signature")
        }
        return Self.token(input, signedBy: signature, claims)
    }

    /// The token of a signing input and its signature.
    static func token(_ input: consuming [UInt8], signedBy signature: [UInt8], _ claims: ClaimSet) -> MintedToken {
        var jwt = consume input
        jwt.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &jwt)
        return MintedToken(jwt: jwt, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
    }

    /// Has the remote signer sign a token with these claims; `now` is in seconds since the epoch.
    package func mintRemotely(
        _ privateClaims: PrivateClaims, at now: Int64, _ urgency: SigningUrgency
    ) async throws(RemoteSigningError) -> MintedToken {
        guard let remote else {
            let reason = "the key of \(profile.account) is in this process; expected a remote signer"
            throw RemoteSigningError(reason: reason, retryAfter: nil, .diagnose)
        }
        let claims: ClaimSet
        do { claims = try ClaimSet(privateClaims, policy: profile.policy, at: now) } catch {
            throw RemoteSigningError(reason: error.reason, retryAfter: nil, .setClock)
        }
        let jws = try await remote.sign(payload(claims), urgency)
        guard CompactJWSParts.areWellFormed(jws) else { throw .malformed }
        return MintedToken(jwt: jws, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
    }

    /// A minter whose tokens are valid for at most this number of seconds after signing; itself if its tokens already are.
    /// Throws if no policy allows that time. Another time means another profile, so a cache never confuses the tokens of
    /// the two.
    package func narrowed(to seconds: Int64) throws(TokenPolicyError) -> TokenMinter {
        let policy = profile.policy
        guard seconds < policy.service else { return self }
        let narrow = try TokenPolicy(
            audience: policy.audience, lifetime: seconds + policy.backdate, backdate: policy.backdate)
        if let remote { return TokenMinter(remote: remote, policy: narrow) }
        return TokenMinter(signer: signer, policy: narrow)
    }

    /// The JWS signing input (RFC 7515 section 5.1): header, dot and payload, with spare capacity for the signature.
    func signingInput(_ claims: ClaimSet) -> [UInt8] {
        let payload = payload(claims)
        var input: [UInt8] = []
        input.reserveCapacity(encodedHeader.count + Base64URL.length(of: payload.count) + Self.signatureCapacity)
        input += encodedHeader
        Base64URL.append(payload, to: &input)
        return input
    }

    private func payload(_ claims: ClaimSet) -> [UInt8] {
        Self.payload(openPayload, claims.privateClaims, claims.issuedAt, claims.expiresAt)
    }

    /// The payload of a token with this beginning.
    package static func payload(
        _ opening: JSONWriter, _ claims: PrivateClaims, _ issuedAt: Int64, _ expiresAt: Int64
    ) -> [UInt8] {
        var json = opening
        json.reserve(claims.idBytes + payloadCapacity)
        json.member("iat", issuedAt)
        json.member("exp", expiresAt)
        json.key("authorization")
        json.value(claims)
        json.endObject()
        return json.bytes
    }

    /// A dot and an RSA-2048 signature in base64url.
    private static let signatureCapacity = 1 + 342
    /// The payload's bytes besides its beginning and the ids: names, times and punctuation, rounded up.
    private static let payloadCapacity = 160

    /// The JOSE header (RFC 7515 section 4.1), always with `kid`, by which Google finds the public key.
    package static func encodedHeader(keyID: String) -> [UInt8] {
        var header = JSONWriter()
        header.object { header in
            header.member("alg", "RS256")
            header.member("typ", "JWT")
            header.member("kid", keyID)
        }
        return Base64URL.encode(header.bytes) + [UInt8(ascii: ".")]
    }

    /// A payload's claims that are the same in all tokens. Others follow, and the end of the object.
    package static func openPayload(account: String, audience: String) -> JSONWriter {
        var payload = JSONWriter()
        payload.beginObject()
        payload.member("iss", account)
        payload.member("sub", account)
        payload.member("aud", audience)
        return payload
    }
}

/// Signs with a service account's key: RSASSA-PKCS1-v1_5 with SHA-256, `RS256` (RFC 7518 section 3.3).
package protocol TokenSigner: Sendable {
    /// The service account's e-mail address, a token's `iss` and `sub`.
    var account: String { get }
    /// The key's id, the header's `kid`.
    var keyID: String { get }
    /// The message's signature. Throws if none can be made now.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8]
}

/// In place of the key of a remote minter, so that the path of a local key needs no test for it.
private struct AbsentKey: TokenSigner {
    let account: String
    let keyID = ""

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        throw SigningError(reason: "the key of \(account) is held by another service; it signs only remotely")
    }
}

extension RemoteSigningError {
    fileprivate static let malformed = RemoteSigningError(
        reason: "the remote signer returned malformed text; expected three base64url parts with dots between them",
        retryAfter: 1, .diagnose)
}

extension CompactJWSParts {
    /// Whether the text is three base64url parts with dots between them, none of them empty.
    fileprivate static func areWellFormed(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            let others = text.reduce(0) { $0 &+ $1.isOutsideBase64URL }
            guard others == 2, let first = text.firstIndex(of: UInt8(ascii: ".")),
                let last = text.lastIndex(of: UInt8(ascii: "."))
            else { return false }
            return first > 0 && last > first + 1 && last < text.count - 1
        }
    }
}

extension UInt8 {
    /// 0 for a character of base64url (RFC 4648 section 5), otherwise 1. Without branches, since each byte of each token
    /// passes here: the compiler looks at several at once.
    fileprivate var isOutsideBase64URL: UInt32 {
        let isLetter: UInt32 = (self | 0x20) &- UInt8(ascii: "a") < 26 ? 1 : 0
        let isDigit: UInt32 = self &- UInt8(ascii: "0") < 10 ? 1 : 0
        let isOther: UInt32 = self == UInt8(ascii: "-") ? 1 : self == UInt8(ascii: "_") ? 1 : 0
        return (isLetter | isDigit | isOther) ^ 1
    }
}

/// Why no signature was made.
package struct SigningError: Error, Hashable, Sendable {
    /// One sentence for the operator's log. It holds nothing of a key.
    package let reason: String
    /// Whether the log has the reason already, once for all signatures that it prevents.
    package let isReported: Bool

    /// An error with this sentence.
    package init(reason: String, isReported: Bool = false) {
        (self.reason, self.isReported) = (reason, isReported)
    }
}
