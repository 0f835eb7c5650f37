import Testing

@testable import FleetEngineToken

/// The cache compares claims as bytes.
@Suite struct EncodedClaimsTests {
    private static func claims() throws -> [PrivateClaims] {
        let long = try (0..<9).map { try FleetEngineID(String(repeating: "\($0)", count: 64)) }
        let (a, ab, bc, c) = (
            try FleetEngineID("a"), try FleetEngineID("ab"), try FleetEngineID("bc"), try FleetEngineID("c")
        )
        let umlauts = try FleetEngineID(String(repeating: "ä", count: 64))
        return try [a, ab, umlauts, long[0]].flatMap { id -> [PrivateClaims] in
            [
                .trip(id), .vehicle(id), .untrustedDeliveryVehicle(id), .trustedDeliveryVehicle(id, task: nil),
                .trustedDeliveryVehicle(id, task: a), .trustedDeliveryVehicle(id, task: ab), .trackingID(id),
                .task(id), .tasks(TaskBatch(id)),
            ]
        }
            + [[a, bc], [ab, c], [bc, a], [a, bc, c], long, long.reversed(), Array(long.dropLast())].map {
                .tasks(try TaskBatch($0))
            } + [.everyTask, .server, .deliveryServer, .deliveryFleetReader, .fleetReader]
    }

    @Test func `only equal claims have the same bytes`() throws {
        let all = try Self.claims()
        for one in all {
            let bytes = one.encoded
            for other in all {
                #expect(bytes.withUnsafeBytes { other.areEncoded(as: $0) } == (one == other), "\(one), \(other)")
                #expect((bytes == other.encoded) == (one == other))
            }
            for end in 0..<bytes.count {
                #expect(!bytes[..<end].withUnsafeBytes { one.areEncoded(as: $0) })
            }
            #expect(!(bytes + [0x2F]).withUnsafeBytes { one.areEncoded(as: $0) })
        }
    }

    @Test func `a cached token is found by its own key alone`() throws {
        let all = try Self.claims()
        let policy = try TokenPolicy()
        let profiles = ["k", "l"].map { SigningProfile(account: "a@b.example", keyID: $0, policy: policy) }
        let keys = profiles.flatMap { profile in all.map { TokenKey(claims: $0, profile: profile) } }
        let cache = TokenCache(maxBytes: 1 << 20, reuseFraction: 0.5, shards: 1)
        let tokens = keys.map { cache.insert(CacheBench.token(at: 1000), for: $0, at: 1000) }
        for (key, token) in zip(keys, tokens) {
            #expect(keys.filter { token.isFound(by: $0) } == [key])
            #expect(cache.fresh(key, at: 1000) === token)
        }
    }
}
