import FleetEngineToken
import Testing

@Suite struct TokenKeyTests {
    @Test func `keys are equal if everything that is signed is equal`() throws {
        let first = TokenKey(claims: .trip(try FleetEngineID("x")), profile: try profile())
        let second = TokenKey(claims: .trip(try FleetEngineID("x")), profile: try profile())
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
    }

    @Test func `keys differ if anything that is signed differs`() throws {
        let id = try FleetEngineID("x")
        let keys = [
            TokenKey(claims: .trip(id), profile: try profile()),
            TokenKey(claims: .vehicle(id), profile: try profile()),
            TokenKey(claims: .trip(try FleetEngineID("y")), profile: try profile()),
            TokenKey(claims: .trip(id), profile: try profile(account: "other@b.example")),
            TokenKey(claims: .trip(id), profile: try profile(keyID: "other")),
            TokenKey(claims: .trip(id), profile: try profile(audience: "https://other.example/")),
            TokenKey(claims: .trip(id), profile: try profile(lifetime: 3599)),
            TokenKey(claims: .trip(id), profile: try profile(backdate: 299)),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test func `a minter's profile holds its signer's account, key and policy`() throws {
        let policy = try TokenPolicy(lifetime: 900)
        let minter = TokenMinter(signer: RecordingSigner(account: "a@b.example", keyID: "k"), policy: policy)
        #expect(minter.profile == SigningProfile(account: "a@b.example", keyID: "k", policy: policy))
    }

    private func profile(
        account: String = "a@b.example", keyID: String = "k", audience: String = "https://c.example/",
        lifetime: Int64 = 3600, backdate: Int64 = 300
    ) throws -> SigningProfile {
        let policy = try TokenPolicy(audience: audience, lifetime: lifetime, backdate: backdate)
        return SigningProfile(account: account, keyID: keyID, policy: policy)
    }
}
