import FleetEngineToken
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct RemoteSignerFaultTests {
    typealias Reply = LoopbackGoogle.Reply

    static let badTokens: [(LoopbackGoogle.Changes, String, Int?)] = [
        (.init(alg: "HS256"), "whose header has another alg; expected RS256", nil),
        (.init(alg: "none"), "whose header has another alg; expected RS256", nil),
        (.init(typ: nil), "whose header has another typ; expected JWT", nil),
        (.init(kid: "key-1"), "whose header has another kid; expected keyId of the answer", nil),
        (.init(header: #""crit":["exp"]"#), "whose header has another crit; expected none", nil),
        (.init(key: 1), "whose signature is not by the published key with its kid", nil),
        (.init(claims: { $0.replacing("1800003600", with: "1800003601") }), #"changes the claim "exp""#, nil),
        (.init(claims: { $0.replacing("driver_", with: "*") }), #"changes the claim "authorization""#, nil),
        (.init(claims: { $0.replacing(#""sub":"a@b","#, with: "") }), #"lacks the claim "sub""#, nil),
        (.init(claims: { $0.dropLast() + #","jti":"x"}"# }), #"adds the claim "jti""#, nil),
        (.init(claims: { $0.replacing("1800000000", with: "1800000000.0") }), #"changes the claim "iat""#, nil),
        (.init(claims: { _ in "[]" }), "not a compact JWS", 1),
        (.init(keyID: ""), "a bad keyId", 1),
        (.init(keyID: "key 0"), "a bad keyId", 1),
        (.init(signed: { _ in "" }), "not a compact JWS", 1),
        (.init(signed: { $0 + ".x" }), "not a compact JWS", 1),
        (.init(signed: { $0 + "=" }), "not a compact JWS", 1),
        (.init(signed: { String($0.dropLast(2)) }), "no signature: ", nil),
        (.init(contentType: "text/html"), #"the content type "text/html"; expected application/json"#, 1),
    ]

    @Test(arguments: badTokens.indices)
    func `a token that was not asked for is refused`(index: Int) throws {
        let (changes, part, retryAfter) = Self.badTokens[index]
        let bench = try SigningBench()
        bench.google.reply(.signing(changes))
        let error = try #require(bench.error())
        #expect(error.reason.contains(part), "\(error.reason)")
        #expect(index == 17 || error.retryAfter == retryAfter)
        #expect(bench.google.requests.count == 1)
        #expect(!error.reason.contains("eyJ"))
        #expect(throws: Never.self) { try bench.outcome()?.get() }
    }

    @Test(arguments: badTokens.indices)
    func `a bad token after a good one is refused too`(index: Int) throws {
        let (changes, part, _) = Self.badTokens[index]
        let bench = try SigningBench()
        #expect(throws: Never.self) { try bench.outcome()?.get() }
        bench.google.reply(.signing(changes))
        let error = try #require(bench.error())
        #expect(error.reason.contains(part), "\(error.reason)")
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"keyId":"key-0"}"#, #"{"keyId":1,"signedJwt":"a.b.c"}"#, "\u{0}\u{1}"])
    func `garbage is refused and may pass`(body: String) throws {
        let bench = try SigningBench()
        bench.google.reply(.answer(status: 200, body: body))
        #expect(bench.error()?.retryAfter == 1)
        #expect(bench.google.requests.count == 1)
    }

    @Test func `any published key of the kid verifies a signature`() throws {
        let bench = try SigningBench()
        bench.google.replyKeys(.answer(status: 200, body: try bench.google.namesakes(1, 0)))
        for key in 0...1 {
            bench.google.reply(.signing(.init(key: key)))
            #expect(throws: Never.self) { try bench.outcome()?.get() }
        }
        #expect(bench.google.keyRequests == 1)
    }

    @Test func `a key that is not published is refused until it may be`() throws {
        let bench = try SigningBench()
        #expect(throws: Never.self) { try bench.outcome()?.get() }
        let rotated = Reply.signing(.init(kid: "key-1", keyID: "key-1", key: 1))
        bench.google.reply(rotated, rotated, rotated)
        let error = try #require(bench.error(after: .zero))
        #expect(error.reason.contains(#"they have no key "key-1""#))
        bench.google.publish(0, 1)
        #expect(bench.error(after: .seconds(1))?.retryAfter == 1)
        #expect(throws: Never.self) { try bench.outcome()?.get() }
        #expect(bench.google.keyRequests == 3)
    }

    @Test(arguments: [500, 502, 503, 504])
    func `a passing fault is tried again after a pause`(status: Int) throws {
        let bench = try SigningBench()
        bench.google.reply(.answer(status: status, body: "oops"), .answer(status: status, body: "oops"))
        let log = bench.begin()
        bench.clock.advance(by: .milliseconds(499))
        #expect(bench.google.requests.count == 1)
        bench.clock.advance(by: .milliseconds(1))
        #expect(bench.google.requests.count == 2)
        bench.clock.advance(by: .seconds(1))
        #expect(bench.google.requests.count == 3)
        #expect(throws: Never.self) { try log.all.first?.get() }
    }

    @Test(arguments: [
        Reply.answer(status: 503, body: RemoteSignerTests.error(503, "UNAVAILABLE")),
        .answer(status: 500, body: "<html>"),
        .failure(.unresolved), .failure(.timeout(.securing, after: .seconds(3))),
        .failure(.cannotConnect(reason: "Connection refused")), .failure(.other(reason: "Transferred a partial file")),
        .failure(.timeout(.answering, after: .seconds(3))), .failure(.tls(reason: "handshake")),
    ])
    func `three failures in a row are given up`(reply: Reply) throws {
        let bench = try SigningBench()
        bench.google.reply(reply, reply, reply)
        let error = try #require(bench.error())
        #expect(error.retryAfter == 1)
        #expect(bench.google.requests.count == 3)
    }

    @Test(arguments: [
        Reply.failure(.busy(waiting: 9)), .failure(.shutDown), .failure(.timeout(.waiting, after: .seconds(3))),
        .failure(.timeout(.late, after: .seconds(3))), .failure(.tooLarge(part: "a body", limit: 65_536)),
        .failure(.redirect(reason: "a POST is not redirected")),
        .answer(status: 302, body: ""), .answer(status: 400, body: RemoteSignerTests.error(400, "INVALID_ARGUMENT")),
        .answer(status: 404, body: RemoteSignerTests.error(404, "NOT_FOUND")),
        .answer(status: 403, body: RemoteSignerTests.error(403, "PERMISSION_DENIED")),
    ])
    func `other failures are not tried again`(reply: Reply) throws {
        let bench = try SigningBench()
        bench.google.reply(reply)
        #expect(bench.error() != nil)
        #expect(bench.google.requests.count == 1)
    }

    @Test func `each try has its own time limit within the deadline`() throws {
        let bench = try SigningBench()
        bench.google.reply(.answer(status: 503, fields: [("retry-after", "8")], body: ""))
        #expect(throws: Never.self) { try bench.outcome()?.get() }
        #expect(bench.google.requests.map(\.limits.totalTimeout) == [.seconds(3), .milliseconds(1500)])
    }

    @Test func `429 is tried again after the time that Google names`() throws {
        let bench = try SigningBench()
        let body = RemoteSignerTests.error(429, "RESOURCE_EXHAUSTED")
        bench.google.reply(
            .answer(status: 429, fields: [("retry-after", "5"), ("content-type", "application/json")], body: body))
        let log = bench.begin()
        bench.clock.advance(by: .milliseconds(4_900))
        #expect(bench.error(after: .zero)?.reason.contains("quota") == true)
        bench.clock.advance(by: .milliseconds(599))
        #expect(bench.google.requests.count == 1)
        bench.clock.advance(by: .milliseconds(1))
        #expect(bench.google.requests.count == 2)
        #expect(throws: Never.self) { try log.all.first?.get() }
    }

    @Test func `429 for longer than the deadline is returned at once`() throws {
        let bench = try SigningBench()
        bench.google.reply(
            .answer(
                status: 429,
                body: RemoteSignerTests.error(
                    429, "RESOURCE_EXHAUSTED",
                    #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"30s"}"#)))
        let error = try #require(bench.error(after: .zero))
        #expect(error.retryAfter == 30)
        #expect(error.reason.contains("the quota of signatures is used up"))
        let next = bench.error(after: .zero)
        #expect(next?.retryAfter == 31 && next?.reason == error.reason)
        #expect(bench.google.requests.count == 1)
    }

    @Test(arguments: [
        Reply.answer(status: 429, body: RemoteSignerTests.error(429, "RESOURCE_EXHAUSTED")),
        .answer(status: 429, body: "slow down"),
        .answer(status: 429, fields: [("retry-after", "soon")], body: ""),
    ])
    func `429 without a time stops calls for some seconds`(reply: Reply) throws {
        let bench = try SigningBench()
        bench.google.reply(reply)
        let log = bench.begin()
        #expect(bench.governor.figures(at: bench.clock.now).available == 0)
        guard case .failure(let error)? = log.all.first else {
            Issue.record("no error")
            return
        }
        #expect(error.retryAfter == SigningFault.quotaPause)
        bench.clock.advance(by: .seconds(SigningFault.quotaPause - 1))
        #expect(bench.begin().all.count == 1)
        #expect(bench.google.requests.count == 1)
        bench.clock.advance(by: .seconds(2))
        _ = bench.begin()
        #expect(bench.google.requests.count == 2)
        #expect(log.all.count == 1)
        #expect(!bench.governor.figures(at: bench.clock.now).isPaused)
    }

    @Test func `an outage stops calls until a probe succeeds`() throws {
        let bench = try SigningBench()
        bench.clock.setRandom(0)
        let outage = Reply.failure(.cannotConnect(reason: "Connection refused"))
        for _ in 0..<20 { bench.google.reply(outage) }
        let errors = (0..<100).compactMap { _ in bench.begin().all.isEmpty }
        bench.clock.advance(by: .zero)
        #expect(errors.count == 100)
        #expect(bench.google.requests.count == 20)
        #expect(bench.governor.figures(at: bench.clock.now).inFlight == 0)
        bench.clock.advance(by: .seconds(5))
        #expect(throws: Never.self) { try bench.outcome()?.get() }
        #expect(bench.changes.all == [.opened(failures: 20, calls: 20), .closed(after: .seconds(5))])
    }

    @Test func `calls that waited for a connection do not count as an outage`() throws {
        let bench = try SigningBench()
        for _ in 0..<20 { bench.google.reply(.failure(.timeout(.late, after: .seconds(3)))) }
        for _ in 0..<20 { #expect(bench.error(after: .zero) != nil) }
        #expect(throws: Never.self) { try bench.outcome()?.get() }
        #expect(bench.changes.all.isEmpty)
    }

    @Test func `a try refused after a failure keeps the reason of the failure`() throws {
        let bench = try SigningBench()
        bench.google.reply(.answer(status: 503, body: RemoteSignerTests.error(503, "UNAVAILABLE")))
        let log = bench.begin()
        let told = RemoteSigningError(reason: "Google's words", retryAfter: 20, .later)
        bench.governor.exhausted(for: .seconds(20), told, at: bench.clock.now)
        bench.clock.advance(by: .seconds(1))
        guard case .failure(let error)? = log.all.first else {
            Issue.record("no error")
            return
        }
        #expect(error.reason.contains("503 UNAVAILABLE"))
        #expect(error.retryAfter == 20)
    }
}
