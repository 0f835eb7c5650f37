@testable import CallerAccess
import Foundation
@testable import HTTPClient
import TestSupport
import Testing

@testable import FleetEngineToken
@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenService

/// Tokens under a back end's decision with a lifetime, at times that a test chooses.
@Suite struct BoundedHandoutTests {
    private static let made: Int64 = 1_800_000_000

    private let signer = FakeSigner(holding: nil)
    private let handout: TokenHandout
    private let gate: CallerGate

    init() throws { try self.init(clientMargin: 60) }

    private init(clientMargin: Int64) throws {
        handout = TokenHandout(
            cache: TokenCache(maxBytes: 1 << 20, reuseFraction: 0.5),
            answer: TokenAnswer(names: Configuration.Answer()) { _ in
                ClientMargin(Configuration.Token(clientMargin: clientMargin))
            },
            records: TokenRecords(
                audit: nil, recordsReused: false, label: .plain, refusals: RefusalRecords(nil, logger: .silent)),
            logger: .silent)
        let endpoint = try BackEndEndpoint(
            OutgoingURL("http://127.0.0.1:1/"), passing: [], timeout: .seconds(1),
            client: OutgoingClient(HTTPClientSettings()))
        gate = CallerGate(
            authenticators: Authenticators(verifier: nil),
            policy: try AccessPolicy(
                rules: [try AccessRule(name: "ask", kinds: [.consumer], callers: [], asksBackEnd: true)]),
            forwardAuth: ForwardAuth(endpoint, caching: nil, logger: .silent))
    }

    /// The expiration of a token and the one that its client gets, in seconds after the decision.
    private struct IssuedToken: Equatable {
        let end: Int64
        let announced: Int64
    }

    /// The token handed out `age` seconds after a decision with this lifetime, and signed `wait` seconds later.
    private func hand(_ lifetime: Int64?, after age: Int64, waiting wait: Int64 = 0, made: Int64 = made) throws
        -> IssuedToken
    {
        let body = try object(try answer(lifetime, after: age, waiting: wait, made: made).body)
        let parts = try #require(body["TRIP_TOKEN_KEY"] as? String).split(separator: ".").map(String.init)
        let claims = try object(Array(decodedBase64URL(parts[1]).utf8))
        return IssuedToken(
            end: try #require(claims["exp"] as? Int64) - Self.made,
            announced: try #require(body["TOKEN_EXPIRATION"] as? Int64) - Self.made)
    }

    private func answer(_ lifetime: Int64?, after age: Int64, waiting wait: Int64 = 0, made: Int64 = made) throws
        -> HTTPResponse
    {
        let wanted = PrivateClaims.trip(try FleetEngineID("t"))
        let caller = try gate.identify(.none, from: nil, .none, at: time(made)).caller(
            .none, at: time(made))
        guard case .askBackEnd(let request) = try caller.permission(wanted, showing: []) else {
            throw RouteClient.Failure(what: "the back end is not asked")
        }
        let decision = TimedDecision(.allowed(principal: nil, lifetime: lifetime), madeAt: made)
        let token = WantedToken(
            claims: wanted, minter: TokenMinter(signer: signer, policy: try TokenPolicy()), form: .sdkAbsolute)
        let call = TokenCall(
            credentials: .none, shown: [], client: nil, countedClient: nil, identity: RequestIdentity(number: 1),
            wanted: .success(token), route: "/token", category: .query(.consumer))
        let granted = GrantedRequest(
            grant: try request.pending.grant(by: .success(decision)), minter: token.minter, form: token.form, call: call
        )
        var answer = handout.answer(granted, at: time(made + age))
        while case .afterWork(_, let work) = answer { answer = work(time(made + age + wait)) }
        guard case .now(let response) = answer else { throw RouteClient.Failure(what: "no answer") }
        return response
    }

    private func time(_ seconds: Int64) -> ServerTime {
        ServerTime(monotonic: UInt64(seconds) * 1_000_000_000, epochSeconds: seconds)
    }

    @Test(arguments: [20, 60, 900, 3299] as [Int64])
    func `one token serves a decision and expires with its lifetime`(lifetime: Int64) throws {
        for age in [0, 1, lifetime / 4, lifetime / 2 - 1] {
            let issued = try hand(lifetime, after: age)
            #expect(issued.end == lifetime)
            #expect(issued.announced > age && issued.announced <= lifetime)
        }
        #expect(signer.asked == 1)
    }

    @Test func `late signing does not extend a token beyond its decision`() throws {
        #expect(try hand(20, after: 0, waiting: 3).end == 20)
        #expect(try hand(20, after: 9).end == 20)
        #expect(signer.asked == 1)
        let late = try hand(120, after: 50, waiting: 2)
        #expect(late.end == 120)
        #expect(late.announced > 52)
    }

    @Test func `a token serves later decisions of the same length, never earlier ones`() throws {
        #expect(try hand(900, after: 0, made: Self.made + 20).end == 920)
        #expect(try hand(900, after: 25).end == 900)
        #expect(try hand(900, after: 10, made: Self.made + 20).end == 900)
        #expect(try hand(900, after: 26).end == 900)
        #expect(signer.asked == 2)
    }

    @Test func `a lifetime beyond the default still bounds tokens, separately from unbounded ones`() throws {
        // Other tokens are valid for 3300 s.
        #expect(try hand(3400, after: 200).end == 3400)
        #expect(try hand(nil, after: 200).end == 3500)
        #expect(try hand(3400, after: 201).end == 3400)
        #expect(try hand(nil, after: 300).end == 3500)
        #expect(try hand(90_000, after: 300).end == 3400)
        #expect(signer.asked == 2)
    }

    @Test func `a decision that has just expired gives one more second`() throws {
        #expect(try hand(1, after: 1) == IssuedToken(end: 2, announced: 2))
    }

    @Test(arguments: [(2299, .ok), (2300, .serviceUnavailable)] as [(Int64, HTTPStatus)])
    func `if signing fails, no announced expiration has passed`(age: Int64, status: HTTPStatus) throws {
        let bench = try BoundedHandoutTests(clientMargin: 1000)
        #expect(try bench.answer(nil, after: 0).status == .ok)
        bench.signer.fail()
        #expect(try bench.answer(nil, after: age).status == status)
    }

    @Test(arguments: [(2, 0), (0, 2), (1, 1)] as [(Int64, Int64)])
    func `a decision that has ended gives no token`(age: Int64, wait: Int64) throws {
        let response = try answer(1, after: age, waiting: wait)
        #expect(response.status == .serviceUnavailable)
        #expect(signer.asked == 0)
    }
}
