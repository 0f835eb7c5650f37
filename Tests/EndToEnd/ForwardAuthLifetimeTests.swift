import TestSupport
import Foundation
import Testing

/// A back end that shortens the lifetime of the tokens that it allows.
@Suite(.blocking) struct ForwardAuthLifetimeTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `the back end can shorten a token's lifetime but never lengthen it`() throws {
        let daemon = try daemon()
        /// The expiry of the token, which must lie `lifetime` seconds after some moment of the request.
        func expect(_ query: String, toLast lifetime: ClosedRange<Double>) throws {
            let sent = Date().timeIntervalSince1970
            let answer = try ask(daemon, query).json()
            let answered = Date().timeIntervalSince1970
            let token = try #require(answer["TRIP_TOKEN_KEY"] as? String)
            let expiry = try #require(try JSONWebToken.claims(of: token)["exp"] as? Double)
            #expect((sent + lifetime.lowerBound...answered + lifetime.upperBound).contains(expiry), "\(query)")
        }
        try expect("tripID=short-1", toLast: 118...121)
        try expect("tripID=both-1", toLast: 598...601)
        try expect("tripID=long-1", toLast: 3298...3301)
        try expect("tripID=allow-1", toLast: 3298...3301)
        try expect("tripID=second-1", toLast: -1...1)
    }

    @Test func `a lifetime of one second is signed at any moment`() throws {
        let daemon = try daemon()
        let (began, clock) = (Date().timeIntervalSince1970, ContinuousClock())
        var round = 0
        while Date().timeIntervalSince1970 < began + 3 {
            round += 1
            let asked = clock.now
            let answer = try ask(daemon, "tripID=second-\(round)")
            // The decision ends before the signature only if both lie more than a second apart.
            #expect(answer.status == 200 || answer.status == 503 && clock.now - asked > .seconds(1), "\(answer.body)")
            guard let token = try answer.json()["TRIP_TOKEN_KEY"] as? String else { continue }
            let expiry = try #require(try JSONWebToken.claims(of: token)["exp"] as? Double)
            #expect(expiry <= Date().timeIntervalSince1970 + 1)
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `every format reports a future expiry, even below the client margin`()
        throws
    {
        let daemon = try daemon()
        for (word, lifetime) in [("second", 1), ("half", 30), ("minute", 60), ("short", 120)] {
            let asked = Int(Date().timeIntervalSince1970)
            func reported(_ format: String, _ name: String) throws -> Int {
                try #require(try ask(daemon, "tripID=\(word)-1&\(format)").json()[name] as? Int)
            }
            let end = try reported("expiration=absolute", "TOKEN_EXPIRATION")
            #expect(end > asked, "\(word)")
            #expect(end <= Int(Date().timeIntervalSince1970) + lifetime, "\(word)")
            #expect(try reported("format=on_demand", "expirationTimestamp") > asked * 1000)
            #expect(try reported("format=last_mile", "expiration_timestamp_ms") > asked * 1000)
            #expect(try reported("format=javascript", "expiresInSeconds") <= lifetime)
        }
        #expect(try ask(daemon, "tripID=half-2&format=javascript").json()["expiresInSeconds"] as? Int ?? 0 > 15)
    }

    @Test func `a cached decision never gives a later expiry`() throws {
        let daemon = try daemon("cache_time: 10m")
        func end() throws -> Int {
            let token = try #require(try ask(daemon, "tripID=both-1").json()["TRIP_TOKEN_KEY"] as? String)
            return try #require(try JSONWebToken.claims(of: token)["exp"] as? Int)
        }
        let (first, asked) = (try end(), Date().timeIntervalSince1970)
        try Patience.wait(for: "two seconds") { Date().timeIntervalSince1970 > asked + 2 }
        #expect(try end() == first)
        #expect(try backEnd.seen().questions.count == 1)
    }

    @Test func `shortened and full-length tokens for one trip are never mixed up`() throws {
        let daemon = try daemon("cache_time: 0s")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        // The same trip with another decision gets another token.
        let shortened = try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String
        try backEnd.answerAll(with: 204)
        let full = try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String
        let lives = try [shortened, full].map { token in
            let claims = try JSONWebToken.claims(of: try #require(token))
            return try #require(claims["exp"] as? Int) - #require(claims["iat"] as? Int)
        }
        #expect(lives == [420, 3600])
    }
}
