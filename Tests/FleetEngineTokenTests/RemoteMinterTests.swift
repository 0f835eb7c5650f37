import FleetEngineToken
import TestSupport
import Testing

@Suite struct RemoteMinterTests {
    private typealias Minted = Result<MintedToken, RemoteSigningError>

    private let now: Int64 = 1_700_000_000
    private let signer = AnsweringSigner()
    private let minter: TokenMinter
    private let claims: PrivateClaims

    init() throws {
        minter = TokenMinter(remote: signer, policy: try TokenPolicy())
        claims = .trip(try FleetEngineID("t\"1"))
    }

    private func mint(
        _ minter: TokenMinter? = nil, at now: Int64? = nil, answer: Result<[UInt8], RemoteSigningError>
    ) -> Minted? {
        signer.answer(answer)
        return InlineExecutor.run { [minter = minter ?? self.minter, claims, now = now ?? self.now] in
            do throws(RemoteSigningError) {
                return .success(try await minter.mintRemotely(claims, at: now, .request))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func `the remote signer gets the claims a local one signs`() async throws {
        _ = try await minter.mintRemotely(claims, at: now, .refresh)
        let call = try #require(signer.calls.first)
        let expected = """
            {"iss":"\(signer.account)","sub":"\(signer.account)","aud":"https://fleetengine.googleapis.com/",\
            "iat":1699999700,"exp":1700003300,"authorization":{"tripid":"t\\"1"}}
            """
        #expect(String(decoding: call.claims, as: UTF8.self) == expected)
        #expect(call.urgency == .refresh)
    }

    @Test func `the signed text becomes a token with the signed times`() throws {
        let token = try #require(try mint(answer: .success(AnsweringSigner.jws))?.get())
        #expect(token.jwt == AnsweringSigner.jws)
        #expect((token.issuedAt, token.expiresAt) == (now - 300, now + 3300))
    }

    @Test(arguments: ["", "a.b", "a.b.c.d", "a..c", ".b.c", "a.b.", "a.b\".c", "a.b.c=", "a.b+c", "a+b.c"])
    func `text that is not a token is an error`(text: String) {
        let result = mint(answer: .success(Array(text.utf8)))
        #expect(throws: RemoteSigningError.self) { try result?.get() }
        #expect(result != nil)
    }

    @Test func `of all bytes only those of base64url are a token's`() {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max {
            let token = try? mint(answer: .success(Array("a.b".utf8) + [byte] + Array("b.c".utf8)))?.get()
            #expect((token != nil) == allowed.contains(byte), "\(byte)")
        }
    }

    @Test func `the remote signer's error is passed on`() {
        let error = RemoteSigningError(reason: "it is down", retryAfter: 7, .diagnose)
        #expect(mint(answer: .failure(error)) == .failure(error))
    }

    @Test(arguments: [-1, 299, Int64.max])
    func `nothing is asked for while the clock is out of range`(now: Int64) {
        #expect(throws: RemoteSigningError.self) { try mint(at: now, answer: .success(AnsweringSigner.jws))?.get() }
        #expect(signer.calls.isEmpty)
    }

    @Test func `a narrowed remote minter's token expires after the given seconds`() throws {
        let narrowed = try minter.narrowed(to: 60)
        #expect(narrowed.isRemote)
        #expect(try mint(narrowed, answer: .success(AnsweringSigner.jws))?.get().expiresAt == now + 60)
    }

    @Test func `a remote minter does not sign locally, nor a local one remotely`() throws {
        let error = #expect(throws: SigningError.self) { try minter.mint(claims, at: now) }
        #expect(error?.reason.contains("only remotely") == true)
        let local = TokenMinter(signer: RecordingSigner(), policy: try TokenPolicy())
        #expect(!local.isRemote && minter.isRemote)
        #expect(throws: RemoteSigningError.self) { try mint(local, answer: .success([]))?.get() }
    }

    @Test func `the profile has no key id`() {
        #expect(minter.profile.keyID.isEmpty)
        #expect(minter.profile.account == signer.account)
    }
}

/// A remote signer with the answer that a test sets, which remembers what it was asked to sign.
private final class AnsweringSigner: RemoteTokenSigner {
    static let jws = Array("aGVhZGVy.Y2xhaW1z.c2lnbmF0dXJl".utf8)

    let account = "rider@some-project.iam.gserviceaccount.com"
    private let result = Locked(Result<[UInt8], RemoteSigningError>.success(jws))
    private let asked = Locked<[(claims: [UInt8], urgency: SigningUrgency)]>([])

    var calls: [(claims: [UInt8], urgency: SigningUrgency)] { asked.withLock { $0 } }

    func answer(_ answer: Result<[UInt8], RemoteSigningError>) { result.withLock { $0 = answer } }

    func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8] {
        asked.withLock { $0.append((claims, urgency)) }
        return try result.withLock { $0 }.get()
    }
}
