@testable import TokenProvider
@testable import AuditLogTests
@testable import CallerAccess
import Foundation
@testable import HTTPClient
import Testing

@testable import FleetEngineToken
@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenService

/// What is handed out by a back end's decision that gives a lifetime, at times that are handed in.
@Suite struct BoundedHandoutTests {
    private static let made: Int64 = 1_800_000_000

    private let signer = FakeSigner(holding: nil)
    private let handout: TokenHandout
    private let tables: CallerTables

    init() throws {
        handout = TokenHandout(
            cache: TokenCache(maxBytes: 1 << 20, reuseFraction: 0.5),
            answer: TokenAnswer(names: Configuration.Answer()) { _ in ClientMargin(Configuration.Token()) },
            label: .plain, logger: .silent)
        let endpoint = try BackEndEndpoint(
            OutgoingURL("http://127.0.0.1:1/"), passing: [], timeout: .seconds(1),
            client: HTTPClient(HTTPClientSettings()))
        tables = CallerTables(
            authenticators: Authenticators(verifier: nil),
            policy: try AccessPolicy(
                rules: [try AccessRule(name: "ask", kinds: [.consumer], callers: [], asksBackEnd: true)]),
            forwardAuth: ForwardAuth(endpoint, remembering: nil, maxWaiting: 1, logger: .silent))
    }

    /// What a client is handed: when the token ends, and when it is told to come again, in seconds after the decision.
    private struct Handed: Equatable {
        let end: Int64
        let told: Int64
    }

    /// What is handed out so many seconds after a decision of this lifetime, the signature a while after the question.
    private func hand(_ lifetime: Int64?, after age: Int64, waiting wait: Int64 = 0, made: Int64 = made) throws
        -> Handed
    {
        let wanted = PrivateClaims.trip(try FleetEngineID("t"))
        let caller = try tables.identify(.none, from: nil, .none, at: time(made)).caller(
            from: nil, .none, at: time(made))
        guard case .open(let request) = try caller.permission(wanted, showing: []) else {
            throw RouteClient.Failure(what: "nothing is asked")
        }
        let decision = TimedDecision(.allowed(principal: nil, lifetime: lifetime), madeAt: made)
        let token = WantedToken(
            claims: wanted, minter: TokenMinter(signer: signer, policy: try TokenPolicy()), form: .sdkAbsolute)
        let call = TokenCall(
            credentials: .none, shown: [], client: nil, countedClient: nil, identity: RequestIdentity(number: 1),
            wanted: .success(token), route: "/token", category: .query(.consumer))
        let records = TokenRecords(
            audit: nil, recordsReused: false, label: .plain, refusals: RefusalRecords(nil, logger: .silent))
        var answer = handout.answer(
            token, try request.grant(by: .success(decision)), call, records, at: time(made + age))
        while case .afterWork(let work) = answer { answer = work(time(made + age + wait)) }
        guard case .now(let response) = answer else { throw RouteClient.Failure(what: "no answer") }
        let body = try object(response.body)
        let parts = try #require(body["TRIP_TOKEN_KEY"] as? String).split(separator: ".").map(String.init)
        let claims = try object(Array(decodedBase64URL(parts[1]).utf8))
        return Handed(
            end: try #require(claims["exp"] as? Int64) - Self.made,
            told: try #require(body["TOKEN_EXPIRATION"] as? Int64) - Self.made)
    }

    private func time(_ seconds: Int64) -> ServerTime {
        ServerTime(monotonic: UInt64(seconds) * 1_000_000_000, epochSeconds: seconds)
    }

    @Test(arguments: [20, 60, 900, 3299] as [Int64])
    func `all that is handed out by a decision ends when its lifetime does, and is one token`(lifetime: Int64) throws {
        for age in [0, 1, lifetime / 4, lifetime / 2 - 1] {
            let handed = try hand(lifetime, after: age)
            #expect(handed.end == lifetime)
            #expect(handed.told > age && handed.told <= lifetime)
        }
        #expect(signer.asked == 1)
    }

    @Test func `a token that is signed a while after the decision ends no later for that`() throws {
        #expect(try hand(20, after: 0, waiting: 3).end == 20)
        #expect(try hand(20, after: 9).end == 20)
        #expect(signer.asked == 1)
        let late = try hand(120, after: 50, waiting: 2)
        #expect(late.end == 120)
        #expect(late.told > 52)
    }

    @Test
    func `a token of a later decision of the same length is for no earlier one, and an earlier one's is for both`()
        throws
    {
        #expect(try hand(900, after: 0, made: Self.made + 20).end == 920)
        #expect(try hand(900, after: 25).end == 900)
        #expect(try hand(900, after: 10, made: Self.made + 20).end == 900)
        #expect(try hand(900, after: 26).end == 900)
        #expect(signer.asked == 2)
    }

    @Test func `a lifetime as long as others have bounds what is signed late, and that is handed to no other`() throws {
        // Others serve for 3300 s.
        #expect(try hand(3400, after: 200).end == 3400)
        #expect(try hand(nil, after: 200).end == 3500)
        #expect(try hand(3400, after: 201).end == 3400)
        #expect(try hand(nil, after: 300).end == 3500)
        #expect(try hand(90_000, after: 300).end == 3400)
        #expect(signer.asked == 2)
    }

    @Test func `where the second is over for which a decision lets a token serve, it serves for one more`() throws {
        #expect(try hand(1, after: 1) == Handed(end: 2, told: 2))
    }
}
