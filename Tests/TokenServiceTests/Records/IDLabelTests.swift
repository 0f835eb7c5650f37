import FleetEngineToken
import Testing

@testable import HTTPServer
@testable import OpenSSLCrypto
@testable import TokenService

@Suite struct IDLabelTests {
    private func trip(_ id: String) throws -> PrivateClaims { .trip(try FleetEngineID(id)) }
    private func vehicle(_ id: String) throws -> PrivateClaims { .vehicle(try FleetEngineID(id)) }

    @Test func `a plain label is the kind and the id`() throws {
        let plain = IDLabel.plain
        #expect(plain.text(for: try trip("trip 1")) == "consumer:trip 1")
        #expect(plain.text(for: try vehicle("caf\u{E9}")) == "driver:caf\u{E9}")
    }

    @Test func `of a batch two ids are named and the others counted`() throws {
        let batch = try TaskBatch((1...500).map { try FleetEngineID("t\($0)") })
        #expect(IDLabel.plain.text(for: .tasks(batch)) == "task_batch:t1,t2,+498")
        let digest = try IDLabel.digest(KeyedDigest.random()).text(for: .tasks(batch))
        #expect(digest.wholeMatch(of: /task_batch:[0-9a-f]{16},[0-9a-f]{16},\+498/) != nil)
        #expect(try IDLabel.plain.text(for: .tasks(TaskBatch(Array(batch.ids.prefix(2))))) == "task_batch:t1,t2")
    }

    @Test func `without access logging the label is empty`() throws {
        #expect(IDLabel.none.text(for: try trip("trip 1")).isEmpty)
    }

    @Test func `a digest is stable per id and reveals nothing of it`() throws {
        let label = IDLabel.digest(try KeyedDigest.random())
        let first = label.text(for: try trip("canary"))
        #expect(first.wholeMatch(of: /consumer:[0-9a-f]{16}/) != nil)
        #expect(label.text(for: try trip("canary")) == first)
        #expect(label.text(for: try trip("canary2")) != first)
        #expect(label.text(for: try vehicle("canary")).wholeMatch(of: /driver:[0-9a-f]{16}/) != nil)
        for id in ["a", String(repeating: "\u{1F697}", count: 64)] {
            #expect(label.text(for: try trip(id)).utf8.count == first.utf8.count)
        }
    }

    @Test func `the digest is HMAC-SHA256 with a random key per process`() throws {
        // RFC 4231 section 4.3, test case 2.
        let digest = try KeyedDigest(key: Array("Jefe".utf8))
        let label = IDLabel.digest(digest)
        #expect(label.text(for: try trip("what do ya want for nothing")).count == "consumer:".count + 16)
        #expect(try digest.hex("what do ya want for nothing?") == "5bdcc146bf60754e")
        let one = IDLabel.digest(try KeyedDigest.random()).text(for: try trip("canary"))
        #expect(IDLabel.digest(try KeyedDigest.random()).text(for: try trip("canary")) != one)
    }

    @Test func `callers and clients are plain, digests or absent`() throws {
        let label = IDLabel.digest(try KeyedDigest.random())
        let addresses = try ["2001:db8::1", "2001:db8::2", "192.0.2.7"].map { try #require(IPAddress($0)) }
        #expect(addresses.map { IDLabel.plain.client($0) } == ["2001:db8::1", "2001:db8::2", "192.0.2.7"])
        let digests = addresses.compactMap { label.client($0) }
        #expect(digests[0] == digests[1] && digests[0] != digests[2], "one subscriber has one digest")
        #expect(digests.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil })
        #expect([label, .plain, .none].map { $0.client(nil) } == ["unix", "unix", nil])
        #expect(IDLabel.plain.caller("a eyJhbGciOiJSUzI1NiJ9.e30.x") == "a eyJ…")
        #expect(try #require(label.caller("dispatch")).wholeMatch(of: /[0-9a-f]{16}/) != nil)
        #expect(IDLabel.none.caller("dispatch") == nil && IDLabel.none.client(addresses[0]) == nil)
    }

    @Test func `an unknown parameter is named unless it may be an id`() throws {
        let label = IDLabel.digest(try KeyedDigest.random())
        #expect(["vehicleId", "vehicle_id"].map(label.parameter) == ["vehicleId", "vehicle_id"])
        for name in ["trip-1", "4f2", "caf\u{E9}"] {
            #expect(label.parameter(name).wholeMatch(of: /[0-9a-f]{16}/) != nil)
            #expect(IDLabel.plain.parameter(name) == name && IDLabel.none.parameter(name) == "-")
        }
    }
}
