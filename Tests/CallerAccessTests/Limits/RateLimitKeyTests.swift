import CallerAccess
import Testing

@Suite struct RateLimitKeyTests {
    @Test func `equal bytes give equal keys, and different bytes different keys`() {
        let address: [UInt8] = [192, 0, 2, 1]
        #expect(RateLimitKey(address: address.span) == RateLimitKey(address: [192, 0, 2, 1].span))
        let others: [[UInt8]] = [[], [0], [192, 0, 2], [192, 0, 2, 2], [192, 0, 2, 1, 0], [0, 192, 0, 2, 1]]
        #expect(Set(others.map { RateLimitKey(address: $0.span) }).count == others.count)
        for other in others { #expect(RateLimitKey(address: address.span) != RateLimitKey(address: other.span)) }
    }

    @Test func `a hundred thousand neighbouring addresses have different keys`() {
        #expect(Set((0..<100_000).map { RateLimitKey($0) }).count == 100_000)
    }

    @Test func `a principal's key depends only on its source and name`() throws {
        let principal = caller("ada", .jwt(issuer: "https://a.example"))
        let key = try #require(principal.limitKey)
        let later = Principal(name: "ada", source: principal.source, claims: ["sub": .string("ada")], expiresAt: 9)
        #expect(later.limitKey == key)
        let others = [
            caller("bob", .jwt(issuer: "https://a.example")), caller("Ada", .jwt(issuer: "https://a.example")),
            caller("ada", .forwardAuth), caller("ada", .jwt(issuer: "https://b.example")),
            caller("ada", .apiKey(name: "https://a.example")),
            caller(".exampleada", .jwt(issuer: "https://a")), caller("ada", .apiKey(name: "ada")),
        ]
        let keys = try others.map { try #require($0.limitKey) }
        #expect(Set(keys + [key]).count == others.count + 1)
    }

    @Test func `names that differ only in Unicode normalization are different principals`() {
        let composed = caller("\u{E9}", .apiKey(name: "k"))
        let decomposed = caller("e\u{301}", .apiKey(name: "k"))
        #expect(composed.name == decomposed.name)
        #expect(composed.limitKey != decomposed.limitKey)
    }

    @Test func `a principal without a name has no key, whatever its source`() {
        #expect(Principal.anonymous.limitKey == nil)
        for source in [.jwt(issuer: "https://a.example"), .forwardAuth] as [Principal.Source] {
            #expect(caller("", source).limitKey == nil)
            #expect(caller(" ", source).limitKey != nil)
        }
    }

    private func caller(_ name: String, _ source: Principal.Source) -> Principal {
        Principal(name: name, source: source, claims: nil, expiresAt: nil)
    }
}
