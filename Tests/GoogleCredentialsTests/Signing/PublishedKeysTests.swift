import Concurrency
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON
import TestSupport
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct PublishedKeysTests {
    private let google: LoopbackGoogle
    private let clock = MockClock()
    private let keys: PublishedKeys
    private let withdrawals = TestLog<String>()

    init() throws {
        google = try LoopbackGoogle()
        keys = try PublishedKeys(
            account: LoopbackGoogle.account, base: OutgoingURL("https://www.googleapis.com/"), send: google.send,
            clock: clock.signing, report: { [withdrawals] in withdrawals.add($0) })
    }

    private func outcome(_ keyID: String) -> Result<[VerificationKey], RemoteSigningError>? {
        InlineExecutor.run { [keys] in
            await Result(awaiting: { () throws(RemoteSigningError) in try await keys.keys(keyID) })
        }
    }

    private func error(_ keyID: String) -> RemoteSigningError? {
        if case .failure(let error) = outcome(keyID) { error } else { nil }
    }

    private func isKnown(_ keyID: String) -> Bool {
        if case .success = outcome(keyID) { true } else { false }
    }

    @Test func `keys are fetched once and used until they are old`() throws {
        google.publish(0, cacheControl: "public, max-age=600, must-revalidate")
        #expect(isKnown("key-0") && isKnown("key-0"))
        #expect(google.keyRequests == 1)
        clock.advance(by: .seconds(600))
        google.publish(1)
        #expect(isKnown("key-0"))
        #expect(google.keyRequests == 2)
        #expect(isKnown("key-1"))
        #expect(google.keyRequests == 2)
    }

    @Test func `keys are fetched again within an hour`() {
        google.publish(0, cacheControl: "max-age=86400")
        #expect(isKnown("key-0"))
        clock.advance(by: .seconds(3599))
        #expect(isKnown("key-0"))
        #expect(google.keyRequests == 1)
        clock.advance(by: .seconds(1))
        google.publish(1)
        #expect(isKnown("key-0"))
        #expect(google.keyRequests == 2)
        #expect(!isKnown("key-0"))
    }

    @Test func `the set is published with the members that verify`() throws {
        #expect(keys.keySet != nil)
        google.publish(0, 1)
        clock.advance(by: .seconds(3600))
        let set = try JWKSet(parsing: try #require(keys.keySet))
        #expect(set.keys.map(\.keyID) == ["key-0", "key-1"])
    }

    @Test func `fetches of a missing key become rarer`() {
        #expect(isKnown("key-0"))
        for (number, pause) in [0, 1, 2, 4, 8].enumerated() {
            clock.advance(by: .seconds(pause))
            let error = error("key-1")
            #expect(error?.retryAfter == 1)
            #expect(error?.reason.hasSuffix(#"they have no key "key-1""#) == true)
            #expect(google.keyRequests == 2 + number)
        }
        #expect(error("key-1")?.retryAfter == 16)
        google.publish(0, 1)
        #expect(!isKnown("key-1"))
        clock.advance(by: .seconds(16))
        #expect(isKnown("key-1"))
        #expect(google.keyRequests == 7)
        #expect(error("key-2")?.retryAfter == 32)
        clock.advance(by: .seconds(32))
        #expect(!isKnown("key-2"))
        #expect(error("key-2")?.retryAfter == 1)
    }

    @Test func `those who wait share one fetch`() {
        google.replyKeys(.hold)
        let log = TestLog<Bool>()
        for index in 0..<3 {
            InlineExecutor.start({ [keys] in (try? await keys.keys("key-\(index)")) != nil }) { log.add($0) }
        }
        #expect(log.all == [])
        google.releaseHeld()
        #expect(log.all == [true, false, false])
        #expect(google.keyRequests == 1)
    }

    @Test func `keys are kept through an outage`() {
        #expect(isKnown("key-0"))
        for _ in 0..<5 {
            google.replyKeys(.failure(.cannotConnect(reason: "Connection refused")))
            clock.advance(by: .seconds(3600))
            #expect(isKnown("key-0"))
        }
        #expect(google.keyRequests == 6)
    }

    @Test(arguments: [
        (404, "{}", "does not exist"), (200, #"{"keys":[]}"#, "it has no key with a kid that verifies RS256"),
        (200, #"{"keys":[{"kty":"RSA","kid":"key-0","n":"AQAB","e":"AQAB"}]}"#, "it has no key with a kid"),
    ])
    func `keys that are no longer published verify nothing`(status: Int, body: String, reason: String) {
        #expect(isKnown("key-0"))
        google.replyKeys(.answer(status: status, body: body), .answer(status: status, body: body))
        clock.advance(by: .seconds(3600))
        keys.refresh()
        #expect(withdrawals.all.count == 1 && withdrawals.all[0].contains(reason), "\(withdrawals.all)")
        #expect(keys.keySet == nil && keys.freshness.age == nil)
        #expect(error("key-0")?.reason.contains(reason) == true)
        clock.advance(by: .seconds(1))
        #expect(!isKnown("key-0"))
        #expect(withdrawals.all.count == 1)
        clock.advance(by: .seconds(2))
        #expect(isKnown("key-0"))
    }

    @Test func `a malformed key set withdraws nothing`() {
        #expect(isKnown("key-0"))
        for reply in [
            LoopbackGoogle.Reply.answer(status: 200, body: "{"), .answer(status: 200, body: #"{"keys":{}}"#),
            .answer(status: 200, fields: [("content-type", "text/html")], body: "<html>"),
            .answer(status: 403, body: "{}"), .answer(status: 500, body: ""),
        ] {
            google.replyKeys(reply)
            clock.advance(by: .seconds(3600))
            keys.refresh()
            #expect(isKnown("key-0"))
        }
        #expect(withdrawals.all == [])
    }

    @Test func `a missing account and an outage are distinguished`() {
        google.replyKeys(.answer(status: 404, body: "{}"), .answer(status: 503, body: ""))
        func existence() -> PublishedKeys.Existence? { InlineExecutor.run { [keys] in await keys.existence() } }
        var existences: [PublishedKeys.Existence?] = []
        for _ in 0..<3 {
            existences.append(existence())
            clock.advance(by: .seconds(1))
        }
        clock.advance(by: .seconds(2))
        existences.append(existence())
        #expect(existences == [.isMissing, .unknown, .unknown, .exists])
        google.replyKeys(.answer(status: 404, body: "{}"))
        #expect(
            error("key-9")?.reason.contains("does not exist: www.googleapis.com:443 has no keys for it (404)") == true)
        #expect(!isKnown("key-0"))
    }

    @Test(arguments: [
        (LoopbackGoogle.Reply.answer(status: 200, body: "{"), "answered with a bad key set"),
        (.answer(status: 200, body: #"{"keys":[]}"#), "it has no key with a kid that verifies RS256"),
        (.answer(status: 200, body: #"{"keys":[{"kty":"RSA"}]}"#), "key 1 of the set"),
        (.answer(status: 200, fields: [("content-type", "text/html")], body: "<html>"), "content type"),
        (.answer(status: 500, body: ""), "answered with the status 500; expected 200"),
        (.failure(.timeout(.answering, after: .seconds(5))), "did not answer in full within 5.0 seconds"),
    ])
    func `a bad answer is one sentence and is tried again`(reply: LoopbackGoogle.Reply, part: String) {
        google.replyKeys(reply)
        let error = error("key-0")
        #expect(error?.reason.contains(part) == true, "\(error?.reason ?? "none")")
        #expect(error?.retryAfter == 1)
        clock.advance(by: .seconds(1))
        #expect(isKnown("key-0"))
    }

    @Test(arguments: ["", "driver", "a@b@c", "a/b@c", "a@b?x", "-a@b", "a b@c", "a;ls@b", "\u{E4}@b"])
    func `an account that is not an address is refused`(account: String) {
        #expect(throws: RemoteSigningError.self) {
            try PublishedKeys(
                account: account, base: OutgoingURL("https://www.googleapis.com"), send: google.send,
                clock: clock.signing)
        }
    }
}
