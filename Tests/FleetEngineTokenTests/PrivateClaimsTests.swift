import FleetEngineToken
import Foundation
import Testing

@Suite struct PrivateClaimsTests {
    /// The rows of the table in FleetEngineContract.md, "Kinds of tokens", each with its `authorization` object.
    static func rows() throws -> [(claims: PrivateClaims, kind: TokenKind, authorization: NSDictionary)] {
        let (id, other) = (try FleetEngineID("a"), try FleetEngineID("b"))
        let batch = try TaskBatch([id, other])
        return [
            (.trip(id), .consumer, ["tripid": "a"]),
            (.vehicle(id), .driver, ["vehicleid": "a"]),
            (.untrustedDeliveryVehicle(id), .untrustedDeliveryDriver, ["deliveryvehicleid": "a"]),
            (.trustedDeliveryVehicle(id, task: nil), .trustedDeliveryDriver, ["deliveryvehicleid": "a"]),
            (
                .trustedDeliveryVehicle(id, task: other), .trustedDeliveryDriver,
                ["deliveryvehicleid": "a", "taskid": "b"]
            ),
            (.trackingID(id), .deliveryConsumer, ["trackingid": "a"]),
            (.task(id), .deliveryConsumer, ["taskid": "a"]),
            (.tasks(batch), .taskBatch, ["taskids": ["a", "b"]]),
            (.everyTask, .taskBatch, ["taskids": ["*"]]),
            (.server, .server, ["tripid": "*", "vehicleid": "*"]),
            (.deliveryServer, .deliveryServer, ["taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"]),
            (.deliveryFleetReader, .deliveryFleetReader, ["taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"]),
            (
                .fleetReader, .fleetReader,
                ["tripid": "*", "vehicleid": "*", "taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"]
            ),
        ]
    }

    @Test func `each row of the contract's table is signed exactly as written`() throws {
        let rows = try Self.rows()
        #expect(Set(rows.map(\.kind)) == Set(TokenKind.allCases))
        let minter = TokenMinter(signer: RecordingSigner(), policy: try TokenPolicy())
        for row in rows {
            #expect(row.claims.kind == row.kind)
            let decoded = try DecodedToken(try minter.mint(row.claims, at: 1_700_000_000))
            #expect(decoded.payload["authorization"] as? NSDictionary == row.authorization)
            #expect(Set(decoded.payload.keys) == ["iss", "sub", "aud", "iat", "exp", "authorization"])
        }
    }

    @Test func `no two rows share a cache key, and each equals itself`() throws {
        let profile = TokenMinter(signer: RecordingSigner(), policy: try TokenPolicy()).profile
        let rows = try Self.rows()
        #expect(Set(rows.map { TokenKey(claims: $0.claims, profile: profile) }).count == rows.count)
        for row in rows {
            #expect(TokenKey(claims: row.claims, profile: profile) == TokenKey(claims: row.claims, profile: profile))
        }
    }

    @Test func `a kind is a wildcard exactly if its claims name no id`() throws {
        for row in try Self.rows() where row.claims != .everyTask {
            #expect(row.claims.ids.isEmpty == row.kind.isWildcard)
            #expect(PrivateClaims(wildcard: row.kind) == (row.kind.isWildcard ? row.claims : nil))
        }
        #expect(TokenKind.wildcards == [.server, .deliveryServer, .deliveryFleetReader, .fleetReader])
        #expect(TokenKind.ofSpecificIDs.count + TokenKind.wildcards.count == TokenKind.allCases.count)
    }

    @Test func `tasks in a different order give different claims`() throws {
        let (a, b) = (try FleetEngineID("a"), try FleetEngineID("b"))
        #expect(PrivateClaims.tasks(try TaskBatch([a, b])) != .tasks(try TaskBatch([b, a])))
    }

    @Test func `a batch holds 1 to 500 different tasks`() throws {
        let ids = try (0...500).map { try FleetEngineID("t\($0)") }
        #expect(try TaskBatch(Array(ids.dropLast())).ids.count == 500)
        #expect(throws: TaskBatchError.tooMany(501)) { try TaskBatch(ids) }
        #expect(throws: TaskBatchError.empty) { try TaskBatch([]) }
        #expect(throws: TaskBatchError.repeatedTask) { try TaskBatch([ids[0], ids[1], ids[0]]) }
    }

    @Test func `every kind has its own value`() {
        var values = PerKind { $0.rawValue }
        for kind in TokenKind.allCases { #expect(values[kind] == kind.rawValue) }
        values[.driver] = "set"
        for kind in TokenKind.allCases { #expect(values[kind] == (kind == .driver ? "set" : kind.rawValue)) }
    }
}
