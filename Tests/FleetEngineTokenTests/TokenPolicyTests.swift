import FleetEngineToken
import Testing

@Suite struct TokenPolicyTests {
    @Test func `the defaults are one hour, back-dated five minutes, for Fleet Engine`() throws {
        let policy = try TokenPolicy()
        #expect(policy.audience == "https://fleetengine.googleapis.com/")
        #expect(policy.lifetime == 3600)
        #expect(policy.backdate == 300)
    }

    @Test(arguments: [(1, 0), (3600, 0), (3600, 600), (601, 600), (900, 300), (2, 1)] as [(Int64, Int64)])
    func `times within Fleet Engine's limits pass`(lifetime: Int64, backdate: Int64) throws {
        let policy = try TokenPolicy(lifetime: lifetime, backdate: backdate)
        #expect(policy.lifetime == lifetime && policy.backdate == backdate)
    }

    @Test(
        arguments: [
            (0, 0, "the lifetime is 0 s; expected 1 to 3600 s"), (-1, 0, "the lifetime is -1 s; expected 1 to 3600 s"),
            (3601, 0, "the lifetime is 3601 s; expected 1 to 3600 s"),
            (3600, -1, "the back-dating is -1 s; expected 0 to 600 s"),
            (3600, 601, "the back-dating is 601 s; expected 0 to 600 s"),
            (300, 300, "tokens that live 300 s are back-dated by 300 s; expected less than they live"),
        ] as [(Int64, Int64, String)])
    func `times beyond these limits are refused with a sentence`(lifetime: Int64, backdate: Int64, sentence: String) {
        let error = #expect(throws: TokenPolicyError.self) { try TokenPolicy(lifetime: lifetime, backdate: backdate) }
        #expect(error?.sentence == sentence)
    }

    @Test func `an empty audience is refused with a sentence`() {
        let error = #expect(throws: TokenPolicyError.self) { try TokenPolicy(audience: "") }
        #expect(error?.sentence == "the audience is empty; expected a URL such as https://fleetengine.googleapis.com/")
    }
}
