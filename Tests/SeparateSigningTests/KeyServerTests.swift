import FleetEngineToken
import StrictJSON
import Testing

@testable import SeparateSigning

/// What a process with keys signs, and what it does not.
@Suite struct KeyServerTests {
    private struct Signer: TokenSigner {
        let account = "a@b"
        let keyID: String

        func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
            guard keyID != "broken" else { throw SigningError(reason: "broken") }
            return Array(keyID.utf8) + message
        }
    }

    private static let now: Int64 = 1_800_000_000
    private static let audiences = ["https://fleetengine.googleapis.com/", "https://other.example/"]
    private static let google = "https://oauth2.googleapis.com/token"

    private static let kinds: [KeyTerms.Tokens] = [
        KeyTerms.Tokens(.consumer, audience: audiences[0], lifetime: 3600),
        KeyTerms.Tokens(.taskBatch, audience: audiences[1], lifetime: 601),
        KeyTerms.Tokens(.deliveryServer, audience: audiences[0], lifetime: 3600),
    ]

    private let signers = ["a", nil, "broken", "b"].map { keyID in
        keyID.map { LimitedSigner(Signer(keyID: $0), kinds) }
    }

    /// The text that a minter has signed with a key.
    private static func input(
        _ keyID: String, _ policy: TokenPolicy? = nil, _ claims: PrivateClaims? = nil, at time: Int64 = now
    ) throws -> [UInt8] {
        let minter = TokenMinter(signer: Signer(keyID: keyID), policy: try policy ?? TokenPolicy())
        let jwt = try minter.mint(claims ?? .trip(FleetEngineID("trip-1")), at: time).jwt
        return Array(jwt[..<(jwt.lastIndex(of: UInt8(ascii: ".")) ?? 0)])
    }

    /// Such a text of any claims.
    private static func text(of claims: String, header: String = #"{"alg":"RS256","typ":"JWT","kid":"a"}"#) -> [UInt8] {
        Base64URL.encode(Array(header.utf8)) + [UInt8(ascii: ".")] + Base64URL.encode(Array(claims.utf8))
    }

    /// Claims as a minter writes them, of which some are replaced.
    private static func claims(
        iss: String = "a@b", sub: String = "a@b", aud: String = #""https://fleetengine.googleapis.com/""#,
        iat: Int64 = now - 300, exp: Int64 = now + 3300, rest: String = #","authorization":{"tripid":"trip-1"}"#
    ) -> String {
        #"{"iss":"\#(iss)","sub":"\#(sub)","aud":\#(aud),"iat":\#(iat),"exp":\#(exp)\#(rest)}"#
    }

    private func signs(_ message: [UInt8]) -> Bool {
        KeyServer.answer(SigningRequest([(0, message)]), signers, at: Self.now).signatures != [nil]
    }

    @Test func `each token is signed with its own key`() throws {
        let (a, b) = (try Self.input("a"), try Self.input("b"))
        let answer = KeyServer.answer(SigningRequest([(3, b), (0, a), (3, b)]), signers, at: Self.now)
        #expect(answer.signatures == [Array("b".utf8) + b, Array("a".utf8) + a, Array("b".utf8) + b])
        #expect(answer.fault == nil)
    }

    @Test func `keys that are unknown, no keys or broken give no signature`() throws {
        let a = try Self.input("a")
        let broken = Self.text(of: Self.claims(), header: #"{"alg":"RS256","typ":"JWT","kid":"broken"}"#)
        let requests: [SigningRequest.Message] = [(1, a), (9, a), (2, broken), (0, a)]
        let answer = KeyServer.answer(SigningRequest(requests), signers, at: Self.now)
        #expect(answer.signatures == [nil, nil, nil, Array("a".utf8) + a])
    }

    @Test(arguments: [(3600, 0), (3600, 600), (60, 0), (601, 600)])
    func `tokens of every lifetime and backdating are signed`(lifetime: Int64, backdate: Int64) throws {
        let policy = try TokenPolicy(audience: Self.audiences[0], lifetime: lifetime, backdate: backdate)
        // The clock may be stepped between the daemon and this process.
        for time in [Self.now, Self.now - 60, Self.now + 60] {
            #expect(signs(try Self.input("a", policy, at: time)))
        }
    }

    @Test func `each kind is signed for its own audience and lifetime`() throws {
        let tasks = PrivateClaims.tasks(try TaskBatch([FleetEngineID("a"), FleetEngineID("b\u{2028}\"c")]))
        for (lifetime, audience, isSigned) in [(601, 1, true), (602, 1, false), (601, 0, false)] {
            let policy = try TokenPolicy(audience: Self.audiences[audience], lifetime: Int64(lifetime))
            #expect(signs(try Self.input("a", policy, tasks)) == isSigned)
        }
    }

    @Test func `of all claims that minters write, those of its kinds are signed`() throws {
        let id = try FleetEngineID("id")
        let all: [PrivateClaims] = [
            .trip(id), .vehicle(id), .untrustedDeliveryVehicle(id), .trustedDeliveryVehicle(id, task: nil),
            .trustedDeliveryVehicle(id, task: id), .trackingID(id), .task(id), .tasks(TaskBatch(id)), .everyTask,
            .server,
            .deliveryServer, .deliveryFleetReader, .fleetReader,
        ]
        for kind in TokenKind.allCases {
            let audience = Self.audiences[0]
            let terms = [KeyTerms.Tokens(kind, audience: audience, lifetime: 3600)]
            let signer = LimitedSigner(Signer(keyID: "a"), terms)
            for claims in all {
                let message = try Self.input("a", nil, claims)
                // Claims of a delivery vehicle alone, and those of all deliveries, are the same for two kinds.
                let kinds = all.filter { (try? Self.input("a", nil, $0)) == message }.map(\.kind)
                let isSigned = claims != .everyTask && kinds.contains(kind)
                #expect(signer.signs(message, at: Self.now) == isSigned, "\(kind) \(claims)")
            }
        }
    }

    @Test func `the probe of its own key is signed`() {
        #expect(signs(Array("probe of key a".utf8)))
        for text in ["", "probe of key b", "probe of key a.", "anything"] { #expect(!signs(Array(text.utf8))) }
    }

    @Test(arguments: [
        #"{"alg":"RS256","typ":"JWT","kid":"b"}"#, #"{"alg":"RS256","typ":"JWT"}"#, #"{"alg":"none","kid":"a"}"#,
        #"{"alg":"RS256","typ":"JWT","kid":"a","crit":[]}"#, #"{"alg":"RS256","typ":"at+jwt","kid":"a"}"#,
    ])
    func `another header than its own is refused`(header: String) {
        #expect(signs(Self.text(of: Self.claims())))
        #expect(!signs(Self.text(of: Self.claims(), header: header)))
    }

    @Test(arguments: [
        claims(iss: "c@d"), claims(sub: "c@d"), claims(sub: "person@example.com"), claims(aud: "\"\(google)\""),
        claims(aud: "[\"\(audiences[0])\"]"), claims(aud: "\"https://fleetengine.googleapis.com\""),
    ])
    func `another account or audience than its own is refused`(claims: String) {
        #expect(!signs(Self.text(of: claims)))
    }

    @Test(arguments: [
        claims(rest: #","scope":"https://www.googleapis.com/auth/cloud-platform""#),
        claims(rest: #","authorization":{"tripid":"t"},"scope":"x""#),
        claims(rest: #","authorization":{"tripid":"t"},"target_audience":"x""#), claims(rest: ""),
        claims(rest: #","authorization":{}"#), claims(rest: #","authorization":"tripid""#),
        claims(rest: #","authorization":{"tripid":"t","role":"admin"}"#),
        claims(rest: #","authorization":{"tripid":"t"},"aud":"x""#),
        claims(rest: #","authorization":{"tripid":{"trip":"id"}}"#), claims(rest: #","authorization":{"tripid":"*"}"#),
        claims(rest: #","authorization":{"tripid":"a/b"}"#), claims(rest: #","authorization":{"tripid": "t"}"#),
        claims(rest: #","authorization":{"tripid":"\u0074"}"#),
        claims(rest: #","authorization":{"tripid":"t","taskid":"t"}"#),
        claims(rest: #","authorization":{"vehicleid":"v"}"#), claims(rest: #","authorization":{"tripid":["t"]}"#),
        claims(rest: #","authorization":{"taskid":"*","trackingid":"*"}"#),
        claims(rest: #","authorization":{"tripid":1}"#),
    ])
    func `claims of anything but a Fleet Engine token are refused`(claims: String) {
        #expect(!signs(Self.text(of: claims)))
    }

    @Test(arguments: [
        (now + 121, now + 3600), (now + 86_400, now + 90_000), (now - 721, now + 100), (now - 300, now + 3301),
        (now - 300, now - 300), (now, Int64.max), (Int64.max, Int64.max), (Int64.min, now + 60),
    ])
    func `tokens of another time or a longer one are refused`(iat: Int64, exp: Int64) {
        #expect(!signs(Self.text(of: Self.claims(iat: iat, exp: exp))))
    }

    @Test func `texts that are no signing input are refused`() {
        let token = Self.text(of: Self.claims())
        let dot = [UInt8(ascii: ".")]
        for text in [Array(token.dropLast()), token + dot, token + dot + token, token + [0], dot + token] {
            #expect(!signs(text))
        }
        let beginning = TokenMinter.openPayload(account: "a@b", audience: Self.audiences[0]).bytes
        for payload in ["[]", "", String(decoding: beginning, as: UTF8.self), Self.claims() + ","] {
            #expect(!signs(Self.text(of: payload)))
        }
    }
}
