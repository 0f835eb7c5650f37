import OpenSSLSigner
import StrictJSON

/// The JWT-bearer grant (RFC 7523 section 2.1): an assertion signed by a service account's key for an access token.
enum JWTBearerGrant {
    /// The `aud` of every assertion, whatever the address of the endpoint is, as Google's clients do it.
    static let audience = "https://oauth2.googleapis.com/token"
    /// Seconds for which an assertion is valid, the most that Google allows.
    static let lifetime: Int64 = 3600

    /// A token with these scopes; `now` is in seconds since the epoch.
    static func token(
        _ file: ServiceAccountFile, scopes: [String], at now: Int64, by send: HTTPSend
    ) async throws(AccessTokenError) -> AccessToken {
        let assertion = Secret(try jwt(signedBy: signer(file), for: audience, scopes: scopes, at: now))
        return try await TokenRequest(
            posting: [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion.value),
            ],
            to: file.tokenURL, hiding: [assertion]
        ).answer(by: send).accessToken(at: now)
    }

    /// An access token that the key signs, without asking anyone: with `scope`, and without `aud` (AIP-4111).
    static func ownToken(
        of file: ServiceAccountFile, scopes: [String], at now: Int64
    ) throws(AccessTokenError) -> AccessToken {
        let jwt = try jwt(signedBy: signer(file), for: nil, scopes: scopes, at: now)
        return AccessToken(value: Secret(jwt), expiresAt: now + lifetime)
    }

    /// A JWS in compact form (RFC 7515 section 7.1) with the claims of RFC 7523 section 3 and `scope`. Without an audience it
    /// is about its issuer.
    static func jwt(
        signedBy signer: RS256Signer, for audience: String?, scopes: [String], at now: Int64
    ) throws(AccessTokenError) -> String {
        var header = JSONWriter()
        header.object { json in
            json.member("typ", "JWT")
            json.member("alg", "RS256")
            json.member("kid", signer.keyID)
        }
        var claims = JSONWriter()
        claims.object { json in
            json.member("iss", signer.account)
            if let audience { json.member("aud", audience) } else { json.member("sub", signer.account) }
            json.member("scope", scopes.joined(separator: " "))
            json.member("iat", now)
            json.member("exp", now + lifetime)
        }
        var token = Base64URL.encode(header.bytes) + [UInt8(ascii: ".")] + Base64URL.encode(claims.bytes)
        do {
            let signature = try signer.sign(token)
            token.append(UInt8(ascii: "."))
            Base64URL.append(signature, to: &token)
        } catch {
            throw AccessTokenError("the JWT for \(signer.account) could not be signed: \(error.reason)")
        }
        return String(decoding: token, as: UTF8.self)
    }

    private static func signer(_ file: ServiceAccountFile) throws(AccessTokenError) -> RS256Signer {
        do {
            return try ServiceAccountKey.load(
                json: file.content, source: "the key file of \(file.account)", allowDefaultServiceAccounts: true)
        } catch {
            throw AccessTokenError(error.sentence)
        }
    }
}
