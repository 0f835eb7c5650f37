import CallerAccess
import Testing

@Suite struct BearerTokenTimesTests {
    private let now = TestIssuer.now

    /// The token's fault at each number of seconds after now; a cached token must give the same.
    private func faults(
        leeway: Int64, _ claims: [String: String?], at offsets: [Int64]
    ) throws -> [BearerTokenFault?] {
        let issuer = try TestIssuer()
        let token = try issuer.token(claims: claims)
        let policy = try TestIssuer.policy(leeway: leeway)
        let fresh = try offsets.map { try issuer.verifier(policy).fault(token, at: now + $0) }
        let verifier = try issuer.verifier(policy)
        #expect(verifier.fault(token, at: now) == nil)
        #expect(verifier.cached.tokens == 1)
        let remembered = offsets.map { verifier.fault(token, at: now + $0) }
        #expect(remembered == fresh)
        return fresh
    }

    @Test func `a token is valid until exp plus leeway, to the second`() throws {
        let end: [String: String?] = ["exp": "\(now + 10)"]
        #expect(try faults(leeway: 60, end, at: [9, 10, 69, 70, 71]) == [nil, nil, nil, .expired, .expired])
        #expect(try faults(leeway: 0, end, at: [9, 10, 11]) == [nil, .expired, .expired])
    }

    @Test func `a token is valid from nbf minus leeway, to the second`() throws {
        let start: [String: String?] = ["nbf": "\(now)", "iat": nil]
        #expect(try faults(leeway: 60, start, at: [-61, -60, 0]) == [.notYetValid, nil, nil])
        #expect(try faults(leeway: 0, start, at: [-1, 0]) == [.notYetValid, nil])
    }

    @Test func `a token is valid from iat minus leeway, to the second`() throws {
        #expect(try faults(leeway: 60, [:], at: [-61, -60, 0]) == [.issuedInFuture, nil, nil])
        #expect(try faults(leeway: 0, [:], at: [-1, 0]) == [.issuedInFuture, nil])
    }

    @Test func `fractions and exponents are read, and never lengthen a token`() throws {
        for end in ["\(now + 10).0", "\(now + 10).999", "\(now + 10)e0", "0.\(now + 10)E+10", "\(now + 10)000e-3"] {
            #expect(try faults(leeway: 0, ["exp": end], at: [9, 10]) == [nil, .expired], "\(end)")
        }
        for name in ["nbf", "iat"] {
            let fault = name == "nbf" ? BearerTokenFault.notYetValid : .issuedInFuture
            for start in ["\(now).0", "\(now - 1).001", "\(now)e-0"] {
                #expect(try faults(leeway: 0, [name: start], at: [0, -1]) == [nil, fault], "\(start)")
            }
        }
    }

    @Test func `clocks at the ends of the range do not trap`() throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier(TestIssuer.policy(leeway: 300))
        let token = try issuer.token(claims: ["exp": "253402300799", "nbf": "0", "iat": "0"])
        for time in [Int64.min, -1, 0, 1, 253_402_300_799, .max] {
            #expect(verifier.fault(token, at: time) == (time < -300 ? .notYetValid : time == .max ? .expired : nil))
        }
    }

    @Test func `a token accepted only by leeway is not cached`() throws {
        let issuer = try TestIssuer()
        let verifier = try issuer.verifier()
        let token = try issuer.token(claims: ["exp": "\(now + 10)"])
        #expect(verifier.fault(token, at: now + 10) == nil)
        #expect(verifier.cached.tokens == 0)
        #expect(verifier.fault(token, at: now + 9) == nil)
        #expect(verifier.cached.tokens == 1)
    }
}
