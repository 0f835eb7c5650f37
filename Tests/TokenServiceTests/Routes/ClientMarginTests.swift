import Testing

@testable import FleetEngineToken
@testable import ServiceConfiguration
@testable import TokenService

/// What clients are told of tokens whose life a back end narrowed.
@Suite struct ClientMarginTests {
    private let now: Int64 = 1_800_000_000

    /// A token of a kind with these settings that serves so many seconds from now.
    private func token(serving seconds: Int64, _ settings: Configuration.Token) -> MintedToken {
        MintedToken(jwt: [], issuedAt: now - settings.backdate, expiresAt: now + seconds)
    }

    @Test func `a token that lives as long as is configured has the configured margin, however large`() {
        for margin: Int64 in [0, 60, 3000] {
            let settings = Configuration.Token(clientMargin: margin)
            let whole = token(serving: 3300, settings)
            #expect(ClientMargin(settings).seconds(of: whole) == margin)
        }
    }

    @Test(arguments: [(1, 0), (2, 1), (30, 5), (60, 6), (600, 15), (3299, 59)] as [(Int64, Int64)])
    func `a narrowed token has its share of the margin, and half of its life at most`(seconds: Int64, told: Int64) {
        let settings = Configuration.Token()
        #expect(ClientMargin(settings).seconds(of: token(serving: seconds, settings)) == told)
    }

    @Test func `nobody is handed a token that he is told has ended, new or kept, whatever is configured`() {
        for (lifetime, backdate, margin, fraction) in [
            (3600, 300, 60, 0.5), (3600, 300, 60, 0.02), (3600, 0, 3599, 1), (3600, 600, 2999, 0.84),
            (700, 300, 300, 0.5),
            (10, 0, 9, 0.9), (3600, 300, 60, 0.9),
        ] as [(Int64, Int64, Int64, Double)] {
            let settings = Configuration.Token(lifetime: lifetime, backdate: backdate, clientMargin: margin)
            for seconds in 1..<(lifetime - backdate) {
                let token = token(serving: seconds, settings)
                let told = token.expiresAt - ClientMargin(settings).seconds(of: token)
                #expect(told > now, "\(seconds) s of \(settings)")
                // When it is last handed out again.
                let kept = token.expiresAt - Int64((fraction * Double(seconds + backdate)).rounded(.up))
                if kept > now { #expect(told >= kept, "\(seconds) s of \(settings)") }
            }
        }
    }
}
