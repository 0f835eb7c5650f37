import HTTPServer
import TestSupport
import Testing

@testable import FleetEngineToken
@testable import ServiceConfiguration
@testable import TokenService

@Suite struct TokenAnswerTests {
    private let token = MintedToken(jwt: Array("h.p.s".utf8), issuedAt: 700, expiresAt: 4300)

    private func answer(margin: Int64 = 60, _ change: (inout Configuration.Answer) -> Void = { _ in }) -> TokenAnswer {
        var names = Configuration.Answer()
        change(&names)
        return TokenAnswer(names: names) { _ in ClientMargin(Configuration.Token(clientMargin: margin)) }
    }

    private func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }

    @Test func `a trip token has the trip name, and expiration minus the margin`() {
        let body = answer().body(token, .consumer, .sdkAbsolute, at: 4000)
        #expect(text(body) == #"{"TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":4240}"#)
        #expect(
            text(answer(margin: 0).body(token, .consumer, .sdkAbsolute, at: 4000)).hasSuffix(
                #""TOKEN_EXPIRATION":4300}"#))
    }

    @Test func `a vehicle token has both names`() throws {
        let body = answer().body(token, .driver, .sdkAbsolute, at: 4000)
        #expect(text(body) == #"{"VEHICLE_TOKEN_KEY":"h.p.s","TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":4240}"#)
        let relative = answer().body(token, .driver, .sdkRelative, at: 4000)
        #expect(
            text(relative) == #"{"VEHICLE_TOKEN_KEY":"h.p.s","TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":240}"#)
    }

    @Test func `equal names are written once`() {
        let same = answer { ($0.tripTokenKey, $0.vehicleTokenKey) = ("token", "token") }
        #expect(
            text(same.body(token, .driver, .sdkAbsolute, at: 4000)) == #"{"token":"h.p.s","TOKEN_EXPIRATION":4240}"#)
        #expect(
            text(same.body(token, .consumer, .sdkAbsolute, at: 4000)) == #"{"token":"h.p.s","TOKEN_EXPIRATION":4240}"#)
    }

    @Test(
        arguments: [
            (700, 3540), (1000, 3240), (4239, 1), (4240, 0), (4241, 0), (4300, 0), (9_999_999_999, 0),
        ] as [(Int64, Int64)])
    func `a relative expiration starts at the answer's time and is never negative`(now: Int64, seconds: Int64) throws {
        let body = answer().body(token, .consumer, .sdkRelative, at: now)
        #expect(text(body) == #"{"TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":\#(seconds)}"#)
    }

    @Test func `custom names are escaped and parsed back unchanged`() throws {
        let names = ["a\"b\\c", "\u{1}\n\u{2028}", "\",\"admin\":\"", "schl\u{FC}ssel \u{1F511}"]
        for name in names {
            let custom = answer {
                ($0.tripTokenKey, $0.vehicleTokenKey, $0.expirationKey) = (name, "v\(name)", "e\(name)")
            }
            let trip = try object(custom.body(token, .consumer, .sdkAbsolute, at: 4000))
            #expect(Set(trip.keys) == [name, "e\(name)"])
            let vehicle = try object(custom.body(token, .driver, .sdkRelative, at: 4000))
            #expect(Set(vehicle.keys) == [name, "v\(name)", "e\(name)"])
            #expect(vehicle["v\(name)"] as? String == "h.p.s")
            #expect(vehicle["e\(name)"] as? Int == 240)
        }
        let quoted = answer { $0.tripTokenKey = "a\"b\\c" }
        #expect(
            text(quoted.body(token, .consumer, .sdkAbsolute, at: 4000))
                == #"{"a\"b\\c":"h.p.s","TOKEN_EXPIRATION":4240}"#)
    }

    @Test(
        arguments: [
            (
                .onDemand, .consumer,
                #"{"jwt":"h.p.s","token":"h.p.s","creationTimestamp":700000,"expirationTimestamp":4240000}"#
            ),
            (
                .onDemand, .driver,
                #"{"jwt":"h.p.s","token":"h.p.s","creationTimestamp":700000,"expirationTimestamp":4240000}"#
            ),
            (
                .lastMile, .untrustedDeliveryDriver,
                #"{"token":"h.p.s","creation_timestamp_ms":700000,"expiration_timestamp_ms":4240000}"#
            ),
            (.javascript, .deliveryConsumer, #"{"token":"h.p.s","expiresInSeconds":240}"#),
            (.android, .consumer, #"{"ServiceToken":"h.p.s","TokenExpiryMs":4240000}"#),
            (.android, .driver, #"{"VehicleServiceToken":"h.p.s","TokenExpiryMs":4240000}"#),
            (.android, .trustedDeliveryDriver, #"{"VehicleServiceToken":"h.p.s","TokenExpiryMs":4240000}"#),
            (.sdkAbsolute, .taskBatch, #"{"TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":4240}"#),
            (
                .sdkAbsolute, .untrustedDeliveryDriver,
                #"{"VEHICLE_TOKEN_KEY":"h.p.s","TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":4240}"#
            ),
        ] as [(AnswerForm, TokenKind, String)])
    func `each form has exactly its own members and units`(form: AnswerForm, kind: TokenKind, expected: String) {
        #expect(text(answer().body(token, kind, form, at: 4000)) == expected)
    }

    @Test func `a cached body is used only for its own form`() throws {
        let profile = SigningProfile(account: "a@b.test", keyID: "k", policy: try TokenPolicy())
        let key = TokenKey(claims: .server, profile: profile)
        let cache = TokenCache(maxBytes: 1 << 20, reuseFraction: 0.5)
        func cached(_ form: AnswerForm) -> CachedToken {
            cache.insert(
                RenderedToken(token, rendered: Array("cached".utf8), form: form.rawValue), for: key, at: 4000)
        }
        func answered(_ cached: CachedToken, _ form: AnswerForm, at now: Int64 = 4000) -> String {
            let response = HTTPResponse(
                status: .ok, fields: .none, content: answer().content(cached, .driver, form, at: now))
            return text(response.body)
        }
        #expect(answered(cached(.onDemand), .onDemand) == "cached")
        #expect(answered(cached(.onDemand), .android).contains("VehicleServiceToken"))
        for (now, left) in [(4000, 240), (4100, 140)] as [(Int64, Int64)] {
            #expect(
                answered(cached(.javascript), .javascript, at: now).hasSuffix("\"expiresInSeconds\":\(left)}"))
        }
    }

    @Test func `each kind may have its own margin`() {
        let answer = TokenAnswer(names: Configuration.Answer()) {
            ClientMargin(Configuration.Token(clientMargin: $0 == .driver ? 600 : 60))
        }
        #expect(text(answer.body(token, .driver, .android, at: 0)).hasSuffix("\"TokenExpiryMs\":3700000}"))
        #expect(text(answer.body(token, .consumer, .android, at: 0)).hasSuffix("\"TokenExpiryMs\":4240000}"))
    }
}
