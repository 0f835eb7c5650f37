import Testing

@testable import FleetEngineToken
@testable import TokenProvider

@Suite struct TokenAnswerTests {
    private let token = MintedToken(jwt: Array("h.p.s".utf8), issuedAt: 700, expiresAt: 4300)

    private func answer(margin: Int64 = 60, _ change: (inout Configuration.Answer) -> Void = { _ in }) -> TokenAnswer {
        var names = Configuration.Answer()
        change(&names)
        return TokenAnswer(names: names, clientMargin: margin)
    }

    private func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }

    @Test func `a trip's token stands under the trip's name, with the signed end less the margin`() {
        let body = answer().absolute(token, .consumer)
        #expect(text(body) == #"{"TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":4240}"#)
        #expect(text(answer(margin: 0).absolute(token, .consumer)).hasSuffix(#""TOKEN_EXPIRATION":4300}"#))
    }

    @Test func `a vehicle's token stands under both names`() throws {
        let body = answer().absolute(token, .driver)
        #expect(text(body) == #"{"VEHICLE_TOKEN_KEY":"h.p.s","TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":4240}"#)
        let relative = answer().relative(token, .driver, at: 4000)
        #expect(
            text(relative) == #"{"VEHICLE_TOKEN_KEY":"h.p.s","TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":240}"#)
    }

    @Test func `names that are equal are written once`() {
        let same = answer { ($0.tripTokenKey, $0.vehicleTokenKey) = ("token", "token") }
        #expect(text(same.absolute(token, .driver)) == #"{"token":"h.p.s","TOKEN_EXPIRATION":4240}"#)
        #expect(text(same.absolute(token, .consumer)) == #"{"token":"h.p.s","TOKEN_EXPIRATION":4240}"#)
    }

    @Test(
        arguments: [
            (700, 3540), (1000, 3240), (4239, 1), (4240, 0), (4241, 0), (4300, 0), (9_999_999_999, 0),
        ] as [(Int64, Int64)])
    func `a relative end counts from the time of the answer, and is never negative`(now: Int64, seconds: Int64) throws {
        let body = answer().relative(token, .consumer, at: now)
        #expect(text(body) == #"{"TRIP_TOKEN_KEY":"h.p.s","TOKEN_EXPIRATION":\#(seconds)}"#)
    }

    @Test func `custom names are escaped, so that they are read back as they were configured`() throws {
        let names = ["a\"b\\c", "\u{1}\n\u{2028}", "\",\"admin\":\"", "schl\u{FC}ssel \u{1F511}"]
        for name in names {
            let custom = answer {
                ($0.tripTokenKey, $0.vehicleTokenKey, $0.expirationKey) = (name, "v\(name)", "e\(name)")
            }
            let trip = try object(custom.absolute(token, .consumer))
            #expect(Set(trip.keys) == [name, "e\(name)"])
            let vehicle = try object(custom.relative(token, .driver, at: 4000))
            #expect(Set(vehicle.keys) == [name, "v\(name)", "e\(name)"])
            #expect(vehicle["v\(name)"] as? String == "h.p.s")
            #expect(vehicle["e\(name)"] as? Int == 240)
        }
        let quoted = answer { $0.tripTokenKey = "a\"b\\c" }
        #expect(text(quoted.absolute(token, .consumer)) == #"{"a\"b\\c":"h.p.s","TOKEN_EXPIRATION":4240}"#)
    }
}
