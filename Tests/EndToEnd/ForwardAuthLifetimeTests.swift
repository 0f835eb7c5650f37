import ChildProcess
import Foundation
import Testing

/// A back end that shortens the lifetime of the tokens that it allows.
@Suite struct ForwardAuthLifetimeTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `the back end can shorten a token's lifetime but never lengthen it`() throws {
        let daemon = try daemon()
        func remaining(_ query: String) throws -> (token: Double, answer: Double) {
            let answer = try ask(daemon, "\(query)&expiration=absolute").json()
            let token = try #require(answer["TRIP_TOKEN_KEY"] as? String)
            let now = Date().timeIntervalSince1970
            let expiration = try #require(answer["TOKEN_EXPIRATION"] as? Double)
            return (try #require(try claims(token)["exp"] as? Double) - now, expiration - now)
        }
        #expect((115...121).contains(try remaining("tripID=short-1").token))
        #expect((595...601).contains(try remaining("tripID=both-1").token))
        #expect((3295...3301).contains(try remaining("tripID=long-1").token))
        #expect((3295...3301).contains(try remaining("tripID=allow-1").token))
        #expect(try remaining("tripID=second-1").token <= 1)
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
        let daemon = try daemon("cache_time: 30s")
        func end() throws -> Int {
            let token = try #require(try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String)
            return try #require(try claims(token)["exp"] as? Int)
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
            let claims = try claims(try #require(token))
            return try #require(claims["exp"] as? Int) - #require(claims["iat"] as? Int)
        }
        #expect(lives == [420, 3600])
    }
}
