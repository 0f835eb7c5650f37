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
        let short = try remaining("tripID=short-1")
        #expect((50...61).contains(short.answer))
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
