import Foundation
import FoundationNetworking
import Testing

@testable import TokenProviderClient

@Suite struct TryOutcomeTests {
    private let start = ClockReading(wall: 1_800_000_000, monotonic: 1000)

    private func outcome(_ answer: HTTPAnswer, hasCredentials: Bool = true) -> String {
        Self.name(
            TryOutcome(answer, for: .vehicle("v"), requested: start, hasCredentials: hasCredentials, random: 0))
    }

    private static func name(_ outcome: TryOutcome) -> String {
        switch outcome {
        case .token(let lease): "token \(lease.secondsLeft(at: ClockReading(wall: 1_800_000_000, monotonic: 1000)))"
        case .refused(let error): "refused: \(error.name)"
        case .unauthenticated(let error): "unauthenticated: \(error.name)"
        case .failed(let error, let seconds): "failed: \(error.name), \(seconds.map { "\($0)" } ?? "-")"
        }
    }

    private func answer(_ body: String, status: Int = 200, type: String? = "application/json") -> HTTPAnswer {
        let fields = type.map { ["Content-Type": $0] } ?? [:]
        return HTTPAnswer(status: status, fields: fields, body: Data(body.utf8))
    }

    @Test func `a token's time is by the server's clock`() {
        #expect(outcome(.token(until: start.wall + 500, at: start.wall)) == "token 499.0")
        #expect(outcome(.token(until: start.wall - 3000, at: start.wall - 3500)) == "token 499.0")
        let parameters = answer(
            #"{"token":"a.b.c","creation_timestamp_ms":1,"expiration_timestamp_ms":1800000500000}"#,
            type: "Application/JSON; charset=utf-8")
        #expect(outcome(parameters) == "token 500.0")
    }

    @Test(arguments: [
        (401, "unauthenticated: unauthenticated c"), (403, "refused: forbidden c"), (400, "refused: rejected c"),
        (404, "refused: rejected c"), (405, "refused: rejected c"), (408, "failed: unavailable c, -"),
        (429, "failed: limited c, -"), (500, "failed: unavailable c, -"), (503, "failed: unavailable c, -"),
        (504, "failed: unavailable c, -"), (204, "refused: invalidAnswer 204"), (302, "refused: redirected nowhere"),
    ])
    func `a status says what to do next`(status: Int, expected: String) {
        #expect(outcome(.problem(status, "c")) == expected)
    }

    @Test func `without credentials, no fresh ones can help`() {
        #expect(outcome(.problem(401, "c"), hasCredentials: false) == "refused: unauthenticated c")
    }

    @Test func `code and detail are the server's, and cut if they are long`() throws {
        let problem = HTTPAnswer.problem(403, "caller_not_allowed").problem
        #expect(problem == TokenProviderProblem(status: 403, code: "caller_not_allowed", detail: "A sentence."))
        let long = String(repeating: "x", count: 5000)
        let cut = answer(#"{"code":"\#(long)","detail":"\#(long)"}"#, status: 400).problem
        #expect(cut.code.count == 100)
        #expect(cut.detail.count == 1000)
    }

    @Test func `a proxy's page keeps its status as the code`() {
        let page = answer("<html>Bad Gateway</html>", status: 502, type: "text/html")
        #expect(outcome(page) == "failed: unavailable status_502, -")
        #expect(page.problem.detail == "The answer has the status 502 and no problem details.")
    }

    @Test(arguments: [("7", 7), ("0", 0), ("99999999", 3600)])
    func `Retry-After in seconds`(text: String, seconds: TimeInterval) {
        #expect(outcome(.problem(429, "c", ["Retry-After": text])) == "failed: limited c, \(seconds)")
    }

    @Test func `Retry-After as a date is by the server's clock`() {
        let fields = ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"]
        #expect(outcome(.problem(503, "c", fields)) == "failed: unavailable c, 30.0")
        let own = ["Retry-After": HTTPAnswer.httpDate(start.wall + 12)]
        #expect(outcome(.problem(503, "c", own)) == "failed: unavailable c, 12.0")
        let past = ["Retry-After": HTTPAnswer.httpDate(start.wall - 12)]
        #expect(outcome(.problem(503, "c", past)) == "failed: unavailable c, 0.0")
    }

    @Test(arguments: ["-1", "soon", "1.5", "", "Sun, 06 Nov 1994"])
    func `another Retry-After is ignored`(text: String) {
        #expect(outcome(.problem(503, "c", ["Retry-After": text])) == "failed: unavailable c, -")
    }

    @Test func `HTML is not taken for a token`() {
        let page = answer(#"{"token":"a.b.c","expiration_timestamp_ms":1800000500000}"#, type: "text/html")
        #expect(outcome(page) == "refused: invalidAnswer 200")
        #expect(outcome(answer("{}", type: nil)) == "refused: invalidAnswer 200")
    }

    @Test func `every part of an answer that was cut off is tried again`() {
        let whole = #"{"token":"a.b.c","expiration_timestamp_ms":1800000500000}"#
        for length in 0..<whole.count {
            #expect(outcome(answer(String(whole.prefix(length)))) == "failed: invalidAnswer 200, -")
        }
    }

    @Test(arguments: ["a.b", "a.b.c.d", "a..c", "", "a.b.c\\n", "a.b.\u{E9}", "a b.c.d"])
    func `only a JWT is handed out`(text: String) {
        let body = #"{"token":"\#(text)","expiration_timestamp_ms":1800000500000}"#
        #expect(outcome(answer(body)) == "failed: invalidAnswer 200, -")
    }

    @Test func `a token that has ended is not handed out`() {
        #expect(outcome(.token(until: start.wall, at: start.wall)) == "failed: invalidAnswer 200, -")
    }

    @Test func `a redirect names the host, and is not followed`() {
        let fields = ["Location": "https://elsewhere.example/token"]
        #expect(outcome(HTTPAnswer(status: 307, fields: fields)) == "refused: redirected elsewhere.example")
    }

    @Test func `only errors that may pass are tried again`() {
        #expect(Self.name(TryOutcome(URLError(.notConnectedToInternet))) == "failed: unreachable -1009, -")
        #expect(Self.name(TryOutcome(URLError(.serverCertificateUntrusted))) == "refused: unreachable -1202")
        #expect(Self.name(TryOutcome(CancellationError())) == "failed: unreachable -1, -")
    }
}
