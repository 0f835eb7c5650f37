@testable import FleetEngineToken
@testable import OpenSSLSigner
import TestSupport
import Testing

@testable import AuditLog
@testable import OpenSSLCrypto
@testable import StrictJSON
@testable import TokenService

@Suite struct AuditRecordTests {
    private func members(_ record: AuditRecord) throws -> [String: Any] {
        try object(AuditChain.beginning.next(record.opening()).line)
    }

    private func id(_ text: String) throws -> FleetEngineID { try FleetEngineID(text) }

    @Test func `a minted record identifies the token without containing it`() throws {
        let minter = TokenMinter(signer: try RS256Signer.demo(), policy: try TokenPolicy())
        let token = try minter.mint(.trip(try id("trip-1")), at: 1_800_000_000)
        var record = AuditRecord(
            .minted, requestID: "4f9c", peer: "192.0.2.7", time: "2027-01-15T08:00:00.125Z")
        record.clientRequestID = "mine"
        record.principal = ("rider-7", "jwt https://id.example")
        record.claims = .trip(try id("trip-1"))
        record.rule = "riders"
        record.token = AuditedToken(token.jwt[...], token.times, by: "fleet@demo.example")
        let (bytes, chain) = AuditChain.beginning.next(record.opening())
        let line = String(decoding: bytes, as: UTF8.self)
        let fingerprint = HexadecimalDigit.text(of: SHA256Digest(of: token.jwt).bytes.span).prefix(32)
        #expect(
            line == """
                {"time":"2027-01-15T08:00:00.125Z","outcome":"minted","principal":"rider-7",\
                "source":"jwt https://id.example","kind":"consumer","ids":{"tripid":"trip-1"},"rule":"riders",\
                "token":"\(fingerprint)","exp":\(token.expiresAt),"signer":"fleet@demo.example",\
                "request_id":"4f9c","client_request_id":"mine","peer":"192.0.2.7",\
                "seq":1,"prev":"\(String(repeating: "0", count: 64))",\
                "hash":"\(String(decoding: chain.hash, as: UTF8.self))"}
                """)
        for part in String(decoding: token.jwt, as: UTF8.self).split(separator: ".") { #expect(!line.contains(part)) }
    }

    @Test(arguments: AuditRecord.Outcome.allCases)
    func `a refusal has its outcome, code and reason and omits unknown members`(outcome: AuditRecord.Outcome) throws {
        var record = AuditRecord(outcome, requestID: "r", peer: "p")
        record.refusal = ("token_expired", "the token's exp has passed")
        let members = try members(record)
        #expect(members["outcome"] as? String == outcome.rawValue)
        #expect(members["code"] as? String == "token_expired")
        #expect(members["reason"] as? String == "the token's exp has passed")
        #expect(
            Set(members.keys) == ["time", "outcome", "code", "reason", "request_id", "peer", "seq", "prev", "hash"])
    }

    @Test func `ids are named after the claims that hold them`() throws {
        func ids(_ claims: PrivateClaims) throws -> [String: String] {
            var record = AuditRecord(.reused, requestID: "r", peer: "p")
            record.claims = claims
            let members = try members(record)
            #expect(members["kind"] as? String == claims.kind.rawValue)
            let ids = try #require(members["ids"] as? [String: Any])
            return ids.mapValues { ($0 as? [String])?.joined(separator: " ") ?? $0 as? String ?? "?" }
        }
        #expect(try ids(.vehicle(id("v"))) == ["vehicleid": "v"])
        #expect(try ids(.untrustedDeliveryVehicle(id("d"))) == ["deliveryvehicleid": "d"])
        #expect(try ids(.trustedDeliveryVehicle(id("d"), task: nil)) == ["deliveryvehicleid": "d"])
        #expect(try ids(.trustedDeliveryVehicle(id("d"), task: id("t"))) == ["deliveryvehicleid": "d", "taskid": "t"])
        #expect(try ids(.trackingID(id("x"))) == ["trackingid": "x"])
        #expect(try ids(.task(id("t"))) == ["taskid": "t"])
        #expect(try ids(.tasks(TaskBatch([id("a"), id("b")]))) == ["taskids": "a b"])
        #expect(try ids(.everyTask) == ["taskids": "*"])
        for wildcard in TokenKind.wildcards {
            #expect(try ids(try #require(PrivateClaims(wildcard: wildcard))) == [:])
        }
    }

    @Test(arguments: [1, 64])
    func `a refusal lists few of many tasks, a token's record all`(scalars: Int) throws {
        let ids = try (0..<500).map { number in
            // Format characters take the most bytes.
            try id(String(repeating: "\u{E0041}", count: scalars - 1) + String(Unicode.Scalar(0x4E00 + number)!))
        }
        var record = AuditRecord(.reused, requestID: "r", peer: "p")
        record.claims = .tasks(try TaskBatch(ids))
        func listed(_ members: [String: Any]) throws -> [String] {
            try #require((members["ids"] as? [String: Any])?["taskids"] as? [String])
        }
        let token = try members(record)
        #expect(try listed(token) == ids.map(\.text))
        #expect(token["id_count"] == nil && token["id_digest"] == nil)
        record.refusal = ("unauthenticated", "no credentials")
        let refused = try members(record)
        #expect(try listed(refused) == ids.prefix(scalars == 1 ? 43 : 1).map(\.text))
        #expect(refused["id_count"] as? Int == 500)
        let all = Array(ids.map(\.text).joined(separator: ",").utf8)
        #expect(
            refused["id_digest"] as? String
                == HexadecimalDigit.text(of: SHA256Digest(of: all).bytes.span.extracting(first: 8)))
        // RefusalRecords: 1,024 in 10 s are less than 200 kB/s.
        record.refusal?.reason = String(repeating: "x", count: 700)
        #expect(AuditChain.beginning.next(record.opening()).line.count < 1950)
    }

    @Test func `an id is truncated at a possible API key`() throws {
        var record = AuditRecord(.unauthenticated, requestID: "r", peer: "p")
        for text in ["tpk_canary", "Bearer tpk_canary", "xtpk_tpk_canary"] {
            record.claims = .trip(try id(text))
            let line = String(decoding: record.opening(), as: UTF8.self)
            #expect(!line.contains("canary"))
            // The rest distinguishes the id from others, and anyone who knows the id can find it.
            let digest = HexadecimalDigit.text(of: SHA256Digest(of: Array(text.utf8)).bytes.span.extracting(first: 8))
            let shown = text.prefix(text.count - (text.hasPrefix("x") ? 10 : 6))
            #expect(line.contains(#""ids":{"tripid":"\#(shown)…\#(digest)"}"#), "\(line)")
        }
    }

    @Test func `client values are cut to 256 bytes and reasons to 1024`() throws {
        let hostile = "a\n\"}\u{1B}[2J\u{202E}\u{85}\u{0}"
        var record = AuditRecord(.unauthenticated, requestID: hostile, peer: hostile)
        record.principal = (hostile, String(repeating: "ü", count: 200))
        record.refusal = (hostile, String(repeating: "x", count: 100_000))
        let line = record.opening()
        #expect(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(line.count < 2300)
        let members = try members(record)
        #expect(members["principal"] as? String == hostile)
        for (name, prefix, whole) in [
            ("source", String(repeating: "ü", count: 128), String(repeating: "ü", count: 200)),
            ("reason", String(repeating: "x", count: 1024), String(repeating: "x", count: 100_000)),
        ] {
            let digest = HexadecimalDigit.text(of: SHA256Digest(of: Array(whole.utf8)).bytes.span).prefix(16)
            #expect(members[name] as? String == "\(prefix)\u{2026}\(digest)")
        }
        #expect(AuditLine(AuditChain.beginning.next(line).line) != nil)
    }
}
