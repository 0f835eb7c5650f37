@testable import CallerAccess
@testable import FleetEngineToken
@testable import HTTPClient
@testable import HTTPServer
import Testing

@testable import StrictJSON
@testable import TokenService

/// The callers that are referred to a back end: those with unknown credentials, never those with invalid ones.
@Suite struct UnauthenticatedCallerTests {
    private static let issuer = "https://id.example"
    private let wanted: PrivateClaims

    init() throws { wanted = .trip(try FleetEngineID("t")) }

    /// A gate with an issuer that has no keys, and without API keys.
    private func gate(asking: Bool = true, callers: [Principal.Source] = []) throws -> CallerGate {
        let policy = try IssuerPolicy(issuer: Self.issuer, audiences: ["fleet"], algorithms: [.rs256])
        let authenticators = Authenticators(
            verifier: try BearerTokenVerifier(issuers: [policy]), feeds: [:],
            apiKeys: try APIKeyTable(parsing: []))
        let rule = try AccessRule(name: "ask", kinds: [.consumer], callers: callers, asksBackEnd: true)
        return CallerGate(
            authenticators: authenticators, policy: try AccessPolicy(rules: [rule]),
            forwardAuth: asking ? try forwardAuth() : nil)
    }

    private func forwardAuth() throws -> ForwardAuth {
        let endpoint = try BackEndEndpoint(
            OutgoingURL("http://127.0.0.1:1/"), passing: [], timeout: .seconds(1),
            client: OutgoingClient(HTTPClientSettings()))
        return ForwardAuth(endpoint, caching: nil, logger: .silent)
    }

    /// The question for the back end, or the code of the refusal.
    private func outcome(_ credentials: CallerCredentials, _ gate: CallerGate) -> String {
        do throws(CallerRefusal) {
            let caller = try gate.identify(credentials, from: nil, .none, at: .now()).caller(
                .none, at: .now())
            switch try caller.permission(wanted, showing: []) {
            case .granted: return "granted"
            case .askBackEnd(let request): return String(decoding: request.question.body, as: UTF8.self)
            }
        } catch {
            return error.problem.code
        }
    }

    private func token(issuer: String, header members: String = "") -> CallerCredentials {
        let parts = [#"{"alg":"RS256","kid":"k"\#(members)}"#, #"{"iss":"\#(issuer)"}"#, "signature"]
        let encoded = parts.map { Base64URL.encode(Array($0.utf8)) }
        return CallerCredentials(token: Array(encoded.joined(separator: [UInt8(ascii: ".")])))
    }

    private static let question = #"{"kind":"consumer","ids":{"tripID":"t"}}"#

    @Test func `missing or unknown credentials are referred to the back end`() throws {
        let gate = try gate()
        for credentials in [
            .none, .foreign, .token(Array("opaque".utf8)), .token([]),
            token(issuer: "https://other.example"), token(issuer: Self.issuer + "/"),
        ] as [CallerCredentials] {
            #expect(outcome(credentials, gate) == Self.question)
        }
    }

    @Test func `tokens of known issuers and API keys never reach the back end`() throws {
        let gate = try gate()
        #expect(outcome(token(issuer: Self.issuer), gate) == "caller_check_unavailable")
        // No header makes the back end decide about a token of that issuer.
        for members in [#","crit":["x"]"#, #","b64":true"#, #","crit":["b64"],"b64":false"#] {
            #expect(outcome(token(issuer: Self.issuer, header: members), gate) == "invalid_credentials")
        }
        #expect(outcome(.apiKey(Array("tpk_forged".utf8)), gate) == "invalid_credentials")
        #expect(outcome(.unusable("twice"), gate) == "invalid_credentials")
    }

    @Test func `a rule limited to an issuer refuses unauthenticated callers`() throws {
        let gate = try gate(callers: [.jwt(issuer: Self.issuer)])
        #expect(outcome(.none, gate) == "unauthenticated")
        #expect(outcome(.token(Array("opaque".utf8)), gate) == "invalid_credentials")
    }

    @Test func `without a back end unauthenticated callers are refused`() throws {
        let gate = try gate(asking: false)
        #expect(outcome(.none, gate) == "unauthenticated")
        #expect(outcome(.foreign, gate) == "unauthenticated")
        #expect(outcome(.unusable("twice"), gate) == "invalid_credentials")
    }

    @Test func `an unauthenticated caller gets no details about a bad request`() throws {
        let caller = try gate().identify(.none, from: nil, .none, at: .now()).caller(.none, at: .now())
        #expect(throws: CallerRefusal.self) { try caller.requireAuthentication() }
    }

    @Test func `the back end's decision gives a grant or the matching refusal`() throws {
        let caller = try gate().identify(.none, from: nil, .none, at: .now()).caller(.none, at: .now())
        guard case .askBackEnd(let request) = try caller.permission(wanted, showing: []) else {
            Issue.record("the back end is not asked")
            return
        }
        let grant = try request.pending.grant(
            by: .success(TimedDecision(.allowed(principal: "rider-9", lifetime: 60), madeAt: 7)))
        #expect(grant.claims == wanted)
        #expect((grant.principal.name, grant.principal.source.description) == ("rider-9", "forward_auth"))
        #expect((grant.rule, grant.bound) == ("ask", TokenBound(seconds: 60, from: 7)))
        let outcomes: [(Result<TimedDecision, BackEndOutage>, String)] = [
            (.success(TimedDecision(.unauthenticated, madeAt: 0)), "unauthenticated"),
            (.success(TimedDecision(.denied, madeAt: 0)), "not_allowed"),
            (.failure(BackEndOutage("it is down", health: .failing)), "caller_check_unavailable"),
        ]
        for (decision, code) in outcomes {
            let refusal = #expect(throws: CallerRefusal.self) { try request.pending.grant(by: decision) }
            #expect(refusal?.problem.code == code)
        }
    }

    @Test func `waiting for a connection says nothing about the back end`() {
        for phase in [HTTPClientError.Phase.waiting, .late] {
            #expect(HTTPClientError.Cause.timeout(phase, after: .seconds(1)).health == .unknown)
        }
        #expect(HTTPClientError.Cause.timeout(.answering, after: .seconds(1)).health == .failing)
    }

    @Test func `tokens are verified however many failed at their address`() throws {
        let gate = try gate(asking: false)
        let limits = RequestLimits(
            addresses: nil, principals: nil, failures: RateLimiter(RateLimit(requestsPerSecond: 0.001, burst: 1)))
        let (client, now) = (IPAddress("192.0.2.1"), ServerTime.now())
        for number in 1...60 {
            let credentials = token(issuer: "https://other.example")
            let waiting = try gate.identify(credentials, from: client, limits, at: now)
            let error = #expect(throws: CallerRefusal.self) { try waiting.caller(limits, at: now) }
            #expect(error?.problem == .invalidCredentials, "\(number)")
            if let error { limits.count(error, from: client, at: now) }
        }
        #expect(limits.verifications.takes(client, at: now))
        #expect(!limits.verifications.takes(IPAddress("192.0.2.2"), at: now))
        #expect(limits.excessiveFailures(of: client, at: now) == nil)
    }
}
