import ChildProcess
import Foundation
import Testing

/// A back end that narrows the life of what it allows.
@Suite struct ForwardAuthLifetimeTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `the back end may narrow a token's life, which counts from now, and never lengthens it`() throws {
        let daemon = try daemon()
        func remaining(_ query: String) throws -> (rest: Double, answer: Double) {
            let answer = try ask(daemon, "\(query)&expiration=absolute").json()
            let token = try #require(answer["TRIP_TOKEN_KEY"] as? String)
            let now = Date().timeIntervalSince1970
            let told = try #require(answer["TOKEN_EXPIRATION"] as? Double)
            return (try #require(try claims(token)["exp"] as? Double) - now, told - now)
        }
        #expect((115...121).contains(try remaining("tripID=short-1").rest))
        #expect((595...601).contains(try remaining("tripID=both-1").rest))
        #expect((3295...3301).contains(try remaining("tripID=long-1").rest))
        #expect((3295...3301).contains(try remaining("tripID=allow-1").rest))
        #expect(try remaining("tripID=second-1").rest <= 1)
    }

    @Test func `of a life that is under the margin clients are told an end that is still to come, in every shape`()
        throws
    {
        let daemon = try daemon()
        for (word, lifetime) in [("second", 1), ("half", 30), ("minute", 60), ("short", 120)] {
            let asked = Int(Date().timeIntervalSince1970)
            func told(_ format: String, _ name: String) throws -> Int {
                try #require(try ask(daemon, "tripID=\(word)-1&\(format)").json()[name] as? Int)
            }
            let end = try told("expiration=absolute", "TOKEN_EXPIRATION")
            #expect(end > asked, "\(word)")
            #expect(end <= Int(Date().timeIntervalSince1970) + lifetime, "\(word)")
            #expect(try told("format=on_demand", "expirationTimestamp") > asked * 1000)
            #expect(try told("format=last_mile", "expiration_timestamp_ms") > asked * 1000)
            #expect(try told("format=javascript", "expiresInSeconds") <= lifetime)
        }
        #expect(try ask(daemon, "tripID=half-2&format=javascript").json()["expiresInSeconds"] as? Int ?? 0 > 15)
    }

    @Test func `whoever asks later by a decision that counts is handed nothing that ends later`() throws {
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

    @Test func `a token that lives as long as others never stands in for a narrowed one`() throws {
        let daemon = try daemon("cache_time: 0s")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        // The same trip, now with another decision, is another token.
        let long = try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String
        try backEnd.answerAll(with: 204)
        let short = try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String
        let lives = try [long, short].map { token in
            let claims = try claims(try #require(token))
            return try #require(claims["exp"] as? Int) - #require(claims["iat"] as? Int)
        }
        #expect(lives == [420, 3600])
    }
}
