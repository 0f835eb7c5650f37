import Testing

@testable import CallerAccess
@testable import OpenSSLCrypto

/// The example tokens of RFC 7515 and RFC 7520, which a verifier must refuse.
@Suite struct PublishedTokenTests {
    /// A verifier that knows the issuer, has the keys and allows every algorithm there is.
    private func verifier(keys: JWKSet) throws -> BearerTokenVerifier {
        let policy = try IssuerPolicy(
            issuer: PublishedToken.issuer, audiences: ["fleet"], algorithms: JWSAlgorithm.allCases)
        let verifier = try BearerTokenVerifier(issuers: [policy])
        verifier.replaceKeys(of: PublishedToken.issuer, with: keys)
        return verifier
    }

    private func fault(_ text: String, _ verifier: BearerTokenVerifier) -> BearerTokenFault? {
        do throws(BearerTokenRefusal) {
            _ = try verifier.principal(of: Array(text.utf8), at: PublishedToken.time)
            return nil
        } catch {
            return error.fault
        }
    }

    @Test func `keys of HMAC and P-521 are skipped`() throws {
        let keys = try JWKSet(parsing: Array(PublishedToken.keys.utf8))
        #expect(keys.keys.count == 3)
        #expect(keys.skipped.count == 4)
    }

    @Test(arguments: PublishedToken.all)
    func `each published token is refused with its fault and not cached`(token: PublishedToken) throws {
        let verifier = try verifier(keys: JWKSet(parsing: Array(PublishedToken.keys.utf8)))
        #expect(fault(token.text, verifier) == token.fault, "\(token.source)")
        #expect(verifier.cached.tokens == 0)
    }
}

extension PublishedToken: CustomTestStringConvertible {
    var testDescription: String { source }
}
