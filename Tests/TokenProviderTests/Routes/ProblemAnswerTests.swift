import FleetEngineToken
import HTTPServer
import Testing

@testable import TokenProvider

@Suite struct ProblemAnswerTests {
    private static let hostile = "\"}\\\r\nX: \u{2028}\u{0}"

    static let problems: [TokenProblem] = [
        .unknownPath, .methodNotAllowed(allowed: "GET, HEAD"), .missingID,
        .invalidID(parameter: "tripID", .empty), .repeatedParameter("tripID"),
        .conflictingParameters("tripID", "vehicleID"), .unknownParameter(hostile), .emptyParameter,
        .malformedEncoding("tripID"), .invalidExpiration, .kindOff(.consumer), .kindOff(.driver), .signingUnavailable,
    ]

    /// Spelled once more, in the order of the cases: a case that is added does not compile until it is tested too.
    private func expected(_ problem: TokenProblem) -> (ordinal: Int, status: Int, code: String) {
        switch problem {
        case .unknownPath: (0, 404, "unknown_path")
        case .methodNotAllowed: (1, 405, "method_not_allowed")
        case .missingID: (2, 400, "missing_id")
        case .invalidID: (3, 400, "invalid_id")
        case .repeatedParameter: (4, 400, "repeated_parameter")
        case .conflictingParameters: (5, 400, "conflicting_parameters")
        case .unknownParameter: (6, 400, "unknown_parameter")
        case .emptyParameter: (7, 400, "empty_parameter")
        case .malformedEncoding: (8, 400, "malformed_encoding")
        case .invalidExpiration: (9, 400, "invalid_expiration")
        case .kindOff: (10, 404, "kind_off")
        case .signingUnavailable: (11, 503, "signing_unavailable")
        }
    }

    @Test func `every problem has its status, its code, and exactly the five members of a problem`() throws {
        #expect(Set(Self.problems.map { expected($0).ordinal }) == Set(0...11))
        for problem in Self.problems {
            let answer = ProblemAnswer.answer(problem)
            let (_, status, code) = expected(problem)
            #expect(answer.status.rawValue == status)
            try expectProblem(answer, code: code, detail: problem.detail)
        }
    }

    @Test(arguments: RequestRejection.allCases)
    func `every rejected request has its code and exactly the five members of a problem`(
        rejection: RequestRejection
    ) throws {
        let answer = ProblemAnswer.answer(rejection)
        #expect(answer.status == rejection.status)
        #expect((400...505).contains(answer.status.rawValue))
        try expectProblem(answer, code: rejection.rawValue, detail: rejection.detail)
    }

    @Test func `codes are words that no two problems share`() {
        let codes = Set(Self.problems.map(\.code)).union(RequestRejection.allCases.map(\.code))
        #expect(codes.count == 12 + RequestRejection.allCases.count)
        for code in codes { #expect(code.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil) }
    }

    @Test func `what is written are five members in one order, compact`() {
        let body = String(decoding: ProblemAnswer.answer(.invalidExpiration).body, as: UTF8.self)
        #expect(
            body == #"{"type":"about:blank","title":"Bad Request","status":400,"#
                + #""detail":"expiration: expected absolute or relative.","code":"invalid_expiration"}"#)
    }

    @Test func `only what may be tried again says when, and only a wrong method says what is allowed`() {
        for problem in Self.problems {
            let fields = ProblemAnswer.answer(problem).fieldText
            #expect(fields.contains("Retry-After: 5\r\n") == (problem.status == .serviceUnavailable))
            #expect(fields.contains("Allow: GET, HEAD\r\n") == (problem.status == .methodNotAllowed))
        }
        for rejection in RequestRejection.allCases {
            let fields = ProblemAnswer.answer(rejection).fieldText
            #expect(fields.contains("Retry-After: 5\r\n") == (rejection == .tooManyConnections))
        }
    }

    private func expectProblem(_ answer: HTTPResponse, code: String, detail: String) throws {
        let json = try object(answer.body)
        #expect(Set(json.keys) == ["type", "title", "status", "detail", "code"])
        #expect(json["type"] as? String == "about:blank")
        #expect(json["title"] as? String == "\(answer.status.phrase)")
        #expect(json["status"] as? Int == answer.status.rawValue)
        #expect(json["code"] as? String == code)
        #expect(json["detail"] as? String == detail)
        #expect(detail.hasSuffix("."))
        let names = Configuration.Answer()
        for name in [names.tripTokenKey, names.vehicleTokenKey, names.expirationKey] { #expect(json[name] == nil) }
        for field in [
            "Content-Type: application/problem+json\r\n", "Cache-Control: no-store\r\n",
            "X-Content-Type-Options: nosniff\r\n",
        ] {
            #expect(answer.fieldText.contains(field))
        }
    }
}
