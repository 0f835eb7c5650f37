import FleetEngineToken
import Testing

@Suite struct NarrowedMinterTests {
    private let now: Int64 = 1_700_000_000
    private let claims: PrivateClaims

    init() throws { claims = .trip(try FleetEngineID("t")) }

    private func minter(lifetime: Int64 = 3600, backdate: Int64 = 300) throws -> TokenMinter {
        TokenMinter(signer: RecordingSigner(), policy: try TokenPolicy(lifetime: lifetime, backdate: backdate))
    }

    @Test(arguments: [1, 60, 300, 301, 3299] as [Int64])
    func `a narrowed minter's token expires after the given seconds`(seconds: Int64) throws {
        let minter = try minter()
        let token = try minter.narrowed(to: seconds).mint(claims, at: now)
        #expect(token.expiresAt == now + seconds)
        #expect(token.issuedAt == now - 300)
    }

    @Test(arguments: [3300, 3301, 90_000, .max] as [Int64])
    func `narrowing never makes a token live longer`(seconds: Int64) throws {
        let minter = try minter()
        #expect(try minter.narrowed(to: seconds).profile == minter.profile)
        #expect(try minter.narrowed(to: seconds).mint(claims, at: now).expiresAt == now + 3300)
    }

    @Test func `tokens with different lifetimes have different cache keys`() throws {
        let minter = try minter()
        let profiles = try [60, 61, 3600].map { try minter.narrowed(to: $0).profile }
        #expect(Set(profiles.map { TokenKey(claims: claims, profile: $0) }).count == 3)
        #expect(try minter.narrowed(to: 60).profile == minter.narrowed(to: 60).profile)
        #expect(profiles.allSatisfy { $0.account == minter.profile.account && $0.keyID == minter.profile.keyID })
    }

    @Test(arguments: [0, -1, .min] as [Int64])
    func `a lifetime of zero or less is refused`(seconds: Int64) throws {
        let minter = try minter(backdate: 0)
        #expect(throws: TokenPolicyError.self) { try minter.narrowed(to: seconds) }
        let backdated = try self.minter()
        #expect(throws: TokenPolicyError.self) { try backdated.narrowed(to: seconds) }
    }
}
