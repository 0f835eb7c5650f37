import Dispatch
import FleetEngineToken
import StrictJSON
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct RemoteSignerTests {
    @Test func `a token with the claims that were asked for is returned`() throws {
        let bench = try SigningBench()
        let jwt = try #require(try bench.outcome()?.get())
        let token = try CompactJWS(parsing: jwt)
        #expect(JSONValue.object(token.claims) == (try JSONValue(parsing: SigningBench.claims)))
        #expect(bench.google.requests.count == 1)
        #expect(bench.google.keyRequests == 1)
        #expect(bench.governor.figures(at: bench.clock.now).inFlight == 0)
        #expect(bench.clock.timers == 0)
    }

    @Test func `the request is the one that Google documents`() throws {
        let bench = try SigningBench(delegates: ["one@a.test", "projects/-/serviceAccounts/two@a.test"])
        _ = bench.outcome()
        let request = try #require(bench.google.requests.first)
        #expect(
            request.url.text
                == "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(LoopbackGoogle.account):signJwt"
        )
        #expect(request.fields.map(\.name) == ["authorization", "content-type", "accept"])
        #expect(request.fields.map(\.value) == ["Bearer canary-token-0", "application/json", "application/json"])
        guard case .post(let body) = request.method, case .object(let members) = try JSONValue(parsing: body) else {
            Issue.record("no JSON object")
            return
        }
        #expect(members["payload"] == .string(String(decoding: SigningBench.claims, as: UTF8.self)))
        let chain = ["one", "two"].map { JSONValue.string("projects/-/serviceAccounts/\($0)@a.test") }
        #expect(members["delegates"] == .array(chain))
        #expect(members.count == 2)
    }

    @Test func `the project that is charged is named to Google`() throws {
        let bench = try SigningBench(project: "example.com:my-fleet")
        for _ in 0..<2 { _ = bench.outcome() }
        let named = bench.google.requests.map { $0.fields.last.map { "\($0.name): \($0.value)" } }
        #expect(named == Array(repeating: "x-goog-user-project: example.com:my-fleet", count: 2))
    }

    @Test func `other endpoints may have a slash at the end`() throws {
        let bench = try SigningBench(endpoint: "http://127.0.0.1:8080/")
        _ = bench.outcome()
        #expect(bench.google.requests.first?.url.text.hasPrefix("http://127.0.0.1:8080/v1/projects/-/") == true)
        #expect(throws: RemoteSigningError.self) { try SigningBench(endpoint: "https://a.test/?x=1") }
        #expect(throws: RemoteSigningError.self) { try SigningBench(delegates: ["nobody"]) }
    }

    @Test func `claims in another order are the same claims`() throws {
        let bench = try SigningBench()
        bench.google.reply(
            .signing(
                .init(claims: { claims in
                    guard case .object(let members)? = try? JSONValue(parsing: Array(claims.utf8)) else {
                        return claims
                    }
                    return JSONText.pretty(members, first: ["exp"])
                })))
        #expect(throws: Never.self) { try bench.outcome()?.get() }
    }

    @Test func `a rejected access token is replaced once`() throws {
        let bench = try SigningBench()
        bench.google.reply(.answer(status: 401, body: Self.error(401, "UNAUTHENTICATED")))
        #expect(try bench.outcome(after: .zero)?.get() != nil)
        #expect(bench.tokens.fetches == 2)
        #expect(bench.google.requests.map { $0.fields[0].value } == ["Bearer canary-token-0", "Bearer canary-token-1"])
    }

    @Test func `a token that was already replaced is not rejected again`() throws {
        let bench = try SigningBench()
        let refusal = LoopbackGoogle.Reply.answer(status: 401, body: Self.error(401, "UNAUTHENTICATED"))
        bench.google.reply(.deferred(refusal))
        let log = bench.begin()
        bench.tokens.replace()
        bench.google.releaseHeld()
        #expect(throws: Never.self) { try log.all.first?.get() }
        #expect(bench.tokens.fetches == 2)
        #expect(bench.google.requests.map { $0.fields[0].value } == ["Bearer canary-token-0", "Bearer canary-token-1"])
    }

    @Test func `an access token that stays rejected is final`() throws {
        let bench = try SigningBench()
        bench.tokens.stick()
        let refusal = LoopbackGoogle.Reply.answer(status: 401, body: Self.error(401, "UNAUTHENTICATED"))
        bench.google.reply(refusal, refusal)
        let error = try #require(bench.error())
        #expect(error.retryAfter == nil)
        #expect(error.reason.contains("refused the access token (401 UNAUTHENTICATED"))
        #expect(bench.tokens.fetches == 2)
        #expect(bench.google.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func `no access token means the error of its source`(isTransient: Bool) throws {
        let bench = try SigningBench()
        let cause = AccessTokenError("no credentials", isTransient: isTransient)
        bench.tokens.fail(cause)
        let remedy = cause.failure(of: bench.signer.credentials).remedy
        #expect(
            bench.error()
                == RemoteSigningError(reason: "no credentials", retryAfter: isTransient ? 5 : nil, remedy))
        #expect(bench.google.requests.isEmpty)
    }

    @Test func `an access token that never comes ends at the deadline`() throws {
        let bench = try SigningBench()
        bench.tokens.fallSilent()
        let log = bench.begin()
        bench.clock.advance(by: .milliseconds(9_999))
        #expect(log.all.isEmpty)
        bench.clock.advance(by: .milliseconds(1))
        guard case .failure(let error)? = log.all.first else {
            Issue.record("no error")
            return
        }
        #expect(error.reason == "no signature within 10 s: waiting for an access token")
        #expect(error.retryAfter == 1)
        #expect(bench.governor.figures(at: bench.clock.now).inFlight == 0)
    }

    @Test func `published keys that never come end at the deadline`() throws {
        let bench = try SigningBench()
        bench.google.replyKeys(.hold)
        let error = try #require(bench.error())
        #expect(error.reason == "no signature within 10 s: waiting for the account's published keys")
        bench.google.releaseHeld()
        #expect(throws: Never.self) { try bench.outcome()?.get() }
    }

    @Test func `too many at once are refused and asked for nothing`() throws {
        let bench = try SigningBench(maxInFlight: 1)
        bench.google.reply(.hold)
        _ = bench.begin()
        let error = try #require(bench.error())
        #expect(error.retryAfter == 1)
        #expect(bench.google.requests.count == 1)
    }

    @Test func `an empty quota refuses with the time to wait`() throws {
        let bench = try SigningBench(perMinute: 70)
        for _ in 0..<10 { #expect(throws: Never.self) { try bench.outcome(after: .zero)?.get() } }
        let waits = (0..<3).map { _ in bench.error(after: .zero)?.retryAfter }
        #expect(waits == [1, 2, 3])
        #expect(bench.error(after: .zero)?.isOurLimit == true)
        #expect(bench.google.requests.count == 10)
    }

    @Test func `signatures on many threads are each completed once`() throws {
        let bench = try SigningBench()
        let log = TestLog<SigningBench.Outcome>()
        // Too few for the circuit breaker, in whatever order the answers come.
        for _ in 0..<9 { bench.google.reply(.sign, .answer(status: 503, body: "")) }
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            bench.begin(index % 2 == 0 ? .request : .refresh, log)
        }
        bench.clock.advance(by: .seconds(9))
        #expect(log.all.count == 200)
        for outcome in log.all { #expect(throws: Never.self) { try outcome.get() } }
        #expect(bench.governor.figures(at: bench.clock.now).inFlight == 0)
        #expect(bench.google.keyRequests == 1)
    }

    static func error(_ code: Int, _ status: String, _ details: String = "", message: String = "no") -> String {
        #"{"error":{"code":\#(code),"message":"\#(message)","status":"\#(status)","details":[\#(details)]}}"#
    }

    static func reason(_ reason: String) -> String {
        #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)","metadata":{"consumer":"projects/42"}}"#
    }
}
