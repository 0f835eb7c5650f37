import Testing

@testable import FleetEngineToken
@testable import ServiceConfiguration
@testable import TokenService

/// The margin of tokens whose lifetime a back end shortened.
@Suite struct ClientMarginTests {
    private let now: Int64 = 1_800_000_000

    /// A token with these settings that is valid for this many seconds from now.
    private func token(serving seconds: Int64, _ settings: Configuration.Token) -> MintedToken {
        MintedToken(jwt: [], issuedAt: now - settings.backdate, expiresAt: now + seconds)
    }

    @Test func `a token of full lifetime has the configured margin, however large`() {
        for margin: Int64 in [0, 60, 3000] {
            let settings = Configuration.Token(clientMargin: margin)
            let whole = token(serving: 3300, settings)
            #expect(ClientMargin(settings).seconds(of: whole.times) == margin)
        }
    }

    @Test(arguments: [(1, 0), (2, 1), (30, 5), (60, 6), (600, 15), (3299, 59)] as [(Int64, Int64)])
    func `a shortened token has a proportional margin of at most half`(seconds: Int64, margin: Int64) {
        let settings = Configuration.Token()
        #expect(ClientMargin(settings).seconds(of: token(serving: seconds, settings).times) == margin)
    }

    @Test func `the announced expiration of new and cached tokens has never passed`() {
        for (lifetime, backdate, margin, fraction) in [
            (3600, 300, 60, 0.5), (3600, 300, 60, 0.02), (3600, 0, 3599, 1), (3600, 600, 2999, 0.84),
            (700, 300, 300, 0.5),
            (10, 0, 9, 0.9), (3600, 300, 60, 0.9),
        ] as [(Int64, Int64, Int64, Double)] {
            let settings = Configuration.Token(lifetime: lifetime, backdate: backdate, clientMargin: margin)
            for seconds in 1..<(lifetime - backdate) {
                let token = token(serving: seconds, settings)
                let announced = token.expiresAt - ClientMargin(settings).seconds(of: token.times)
                #expect(announced > now, "\(seconds) s of \(settings)")
                // The last time that it is handed out from the cache.
                let lastReuse = token.expiresAt - Int64((fraction * Double(seconds + backdate)).rounded(.up))
                if lastReuse > now { #expect(announced >= lastReuse, "\(seconds) s of \(settings)") }
            }
        }
    }
}
