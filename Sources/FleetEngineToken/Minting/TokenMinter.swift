import StrictJSON

/// Claims and times -> bytes to sign -> token, for one signer and one policy.
///
/// What every token of the minter shares, the encoded header and the beginning of the payload, is written once.
package final class TokenMinter: Sendable {
    /// All that is signed besides the private claims and the time.
    package let profile: SigningProfile

    private let signer: any TokenSigner
    /// The header and its dot, base64url.
    private let encodedHeader: [UInt8]
    /// A payload that is open behind `aud`.
    private let openPayload: JSONWriter

    /// A minter that signs with the signer by the policy.
    package init(signer: any TokenSigner, policy: TokenPolicy) {
        self.signer = signer
        profile = SigningProfile(account: signer.account, keyID: signer.keyID, policy: policy)
        encodedHeader = Self.encodedHeader(keyID: signer.keyID)
        openPayload = Self.openPayload(account: signer.account, audience: policy.audience)
    }

    /// A signed token that carries the claims, as of `now` in seconds since the epoch; throws where the claims may not
    /// be signed at this time or the signer has no signature.
    package func mint(_ privateClaims: PrivateClaims, at now: Int64) throws(SigningError) -> MintedToken {
        let claims = try ClaimSet(privateClaims, policy: profile.policy, at: now)
        var jwt = signingInput(claims)
        let signature = try signer.sign(jwt)
        guard !signature.isEmpty else {
            throw SigningError(reason: "the signer answered with no bytes; expected a signature")
        }
        jwt.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &jwt)
        return MintedToken(jwt: jwt, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
    }

    /// This minter for tokens that serve no longer than so many seconds from when they are signed, which is itself where
    /// its own serve no longer; throws where there is no such time. Another time is another profile, so that no cache
    /// takes one's tokens for the other's.
    package func narrowed(to seconds: Int64) throws(TokenPolicyError) -> TokenMinter {
        let policy = profile.policy
        guard seconds < policy.service else { return self }
        let narrow = try TokenPolicy(
            audience: policy.audience, lifetime: seconds + policy.backdate, backdate: policy.backdate)
        return TokenMinter(signer: signer, policy: narrow)
    }

    /// The JWS signing input (RFC 7515 section 5.1): header, dot, payload; with room for the signature behind it.
    private func signingInput(_ claims: ClaimSet) -> [UInt8] {
        let payload = payload(claims)
        var input: [UInt8] = []
        input.reserveCapacity(encodedHeader.count + Base64URL.length(of: payload.count) + Self.signatureRoom)
        input += encodedHeader
        Base64URL.append(payload, to: &input)
        return input
    }

    private func payload(_ claims: ClaimSet) -> [UInt8] {
        var json = openPayload
        json.reserve(claims.privateClaims.idBytes + Self.payloadRoom)
        json.member("iat", claims.issuedAt)
        json.member("exp", claims.expiresAt)
        json.key("authorization")
        json.value(claims.privateClaims)
        json.endObject()
        return json.bytes
    }

    /// A dot and the base64url of an RSA-2048 signature.
    private static let signatureRoom = 1 + 342
    /// What the payload holds besides its beginning and the ids: names, times and punctuation, rounded up.
    private static let payloadRoom = 160

    /// The JOSE header (RFC 7515 section 4.1); `kid` always, since Google finds the public key by it.
    private static func encodedHeader(keyID: String) -> [UInt8] {
        var header = JSONWriter()
        header.object { header in
            header.member("alg", "RS256")
            header.member("typ", "JWT")
            header.member("kid", keyID)
        }
        return Base64URL.encode(header.bytes) + [UInt8(ascii: ".")]
    }

    private static func openPayload(account: String, audience: String) -> JSONWriter {
        var payload = JSONWriter()
        payload.beginObject()
        payload.member("iss", account)
        payload.member("sub", account)
        payload.member("aud", audience)
        return payload
    }
}

/// Whoever holds a service account's key and signs with it: RSASSA-PKCS1-v1_5 with SHA-256, the `RS256` of RFC 7518
/// section 3.3.
package protocol TokenSigner: Sendable {
    /// The service account's e-mail address, a token's `iss` and `sub`.
    var account: String { get }
    /// The key's id, the header's `kid`.
    var keyID: String { get }
    /// The signature over the message; throws when there is none to be had now.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8]
}

/// Why no signature was made.
package struct SigningError: Error, Hashable, Sendable {
    /// One sentence for the operator's log, without anything of a key.
    package let reason: String

    /// An error with its one sentence.
    package init(reason: String) {
        self.reason = reason
    }
}
