import FleetEngineToken
import Foundation
import Testing

@Suite struct TokenMinterTests {
    private let now: Int64 = 1_700_000_000

    @Test func `a consumer token carries exactly the header and claims Fleet Engine reads`() throws {
        let signer = RecordingSigner()
        let token = try TokenMinter(signer: signer, policy: TokenPolicy()).mint(.trip(FleetEngineID("trip-1")), at: now)
        let decoded = try DecodedToken(token)
        #expect(decoded.header as NSDictionary == ["alg": "RS256", "typ": "JWT", "kid": signer.keyID])
        let payload: NSDictionary = [
            "iss": signer.account, "sub": signer.account, "aud": "https://fleetengine.googleapis.com/",
            "iat": 1_699_999_700, "exp": 1_700_003_300, "authorization": ["tripid": "trip-1"],
        ]
        #expect(decoded.payload as NSDictionary == payload)
        #expect(signer.messages == [decoded.signingInput])
        #expect(decoded.signature == Array(0...255))
    }

    @Test func `a driver token names only its vehicle`() throws {
        let minter = TokenMinter(signer: RecordingSigner(), policy: try TokenPolicy())
        let decoded = try DecodedToken(try minter.mint(.vehicle(FleetEngineID("vehicle-1")), at: now))
        #expect(decoded.payload["authorization"] as? NSDictionary == ["vehicleid": "vehicle-1"])
    }

    @Test func `header and payload are the same bytes each time`() throws {
        let signer = RecordingSigner(account: "a@b.example", keyID: "k")
        let token = try TokenMinter(signer: signer, policy: TokenPolicy()).mint(.trip(FleetEngineID("t\"1")), at: now)
        let parts = try token.jwt.split(separator: UInt8(ascii: ".")).map { try DecodedToken.decode($0) }
        #expect(String(decoding: parts[0], as: UTF8.self) == #"{"alg":"RS256","typ":"JWT","kid":"k"}"#)
        let payload = """
            {"iss":"a@b.example","sub":"a@b.example","aud":"https://fleetengine.googleapis.com/",\
            "iat":1699999700,"exp":1700003300,"authorization":{"tripid":"t\\"1"}}
            """
        #expect(String(decoding: parts[1], as: UTF8.self) == payload)
    }

    @Test(arguments: [(3600, 300), (3600, 0), (3600, 600), (900, 300), (1, 0)] as [(Int64, Int64)])
    func `the times returned with the token are those it contains`(lifetime: Int64, backdate: Int64) throws {
        let policy = try TokenPolicy(lifetime: lifetime, backdate: backdate)
        let token = try TokenMinter(signer: RecordingSigner(), policy: policy).mint(.trip(FleetEngineID("t")), at: now)
        let payload = try DecodedToken(token).payload
        #expect(payload["iat"] as? Int64 == token.issuedAt)
        #expect(payload["exp"] as? Int64 == token.expiresAt)
        #expect(token.issuedAt == now - backdate)
        #expect(token.expiresAt == token.issuedAt + lifetime)
    }

    @Test func `the audience of the policy is the audience of the token`() throws {
        let policy = try TokenPolicy(audience: "https://fleetengine.example/\u{2028}\"")
        let token = try TokenMinter(signer: RecordingSigner(), policy: policy).mint(.trip(FleetEngineID("t")), at: now)
        #expect(try DecodedToken(token).payload["aud"] as? String == policy.audience)
    }

    @Test(arguments: [-1, 299, Int64.min, 253_402_300_800, Int64.max])
    func `nothing is signed while the clock is out of range`(now: Int64) throws {
        let signer = RecordingSigner()
        let minter = TokenMinter(signer: signer, policy: try TokenPolicy())
        let error = #expect(throws: SigningError.self) { try minter.mint(.trip(FleetEngineID("t")), at: now) }
        #expect(error?.reason.contains("\(now)") == true)
        #expect(signer.messages.isEmpty)
    }

    @Test func `a signer's failure is thrown by the minter`() throws {
        let minter = TokenMinter(signer: FailingSigner(), policy: try TokenPolicy())
        let error = #expect(throws: SigningError.self) { try minter.mint(.trip(FleetEngineID("t")), at: now) }
        #expect(error?.reason == "the key is away")
    }

    @Test func `an empty signature is an error`() throws {
        let minter = TokenMinter(signer: SilentSigner(), policy: try TokenPolicy())
        let error = #expect(throws: SigningError.self) { try minter.mint(.trip(FleetEngineID("t")), at: now) }
        #expect(error?.reason == "the signer returned no bytes; expected a signature")
    }
}

private struct FailingSigner: TokenSigner {
    let account = "a@b.example"
    let keyID = "k"

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        throw SigningError(reason: "the key is away")
    }
}

private struct SilentSigner: TokenSigner {
    let account = "a@b.example"
    let keyID = "k"

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] { [] }
}
