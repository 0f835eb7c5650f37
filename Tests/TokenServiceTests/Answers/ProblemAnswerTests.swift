@testable import HTTPServer
import TestSupport
import FleetEngineToken
import Testing

@testable import ServiceConfiguration
@testable import TokenService

@Suite struct ProblemAnswerTests {
    private static let hostile = "\"}\\\r\nX: \u{2028}\u{0}"

    static let problems: [TokenProblem] = [
        .unknownPath, .unknownKind, .methodNotAllowed(allowed: "GET, HEAD"), .originNotAllowed,
        .missingID(nil, called: nil),
        .missingID(.driver, called: nil), .invalidID(place: "tripID", .empty),
        .invalidBatch(place: "taskIDs", .repeatedTask),
        .repeatedParameter("tripID"), .conflictingParameters("tripID", "vehicleID"),
        .foreignParameter("taskID", .driver), .foreignParameter("tripID", .server),
        .foreignParameter("tripID", .trustedDeliveryDriver), .foreignParameter("tripID", .deliveryConsumer),
        .unknownParameter(hostile), .emptyParameter, .unknownWord(.expiration),
        .unknownWord(.format), .foreignExpiration(.android), .kindOff(.consumer, .key), .kindOff(.fleetReader, .key),
        .kindOff(.taskBatch, .listing), .kindOff(.server, .listingAndKey), .caller(.callerRequired(.server)),
        .caller(.unauthenticated), .caller(.invalidCredentials), .caller(.notAllowed), .caller(.limited(retryAfter: 7)),
        .caller(.checkUnavailable), .caller(.auditUnavailable),
        .signingUnavailable(), .reloadFieldMissing, .unknownAdminPath, .caller(.notAllowedWithoutCredentials),
        .hostNotAllowed, .consoleHeaderMissing,
    ]

    /// Repeats every case literally, so that a new case does not compile until it is tested too.
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
        case .unknownWord(let parameter): (9, 400, parameter == .format ? "invalid_format" : "invalid_expiration")
        case .kindOff(let kind, .key): (10, 404, "kinds.\(kind.rawValue).credentials_unset")
        case .signingUnavailable: (11, 503, "signing_unavailable")
        case .unknownKind: (12, 404, "unknown_kind")
        case .originNotAllowed: (13, 403, "origin_not_allowed")
        case .invalidBatch: (14, 400, "invalid_id")
        case .foreignParameter: (15, 400, "foreign_parameter")
        case .foreignExpiration: (16, 400, "invalid_expiration")
        case .kindOff(let kind, .listing), .kindOff(let kind, .listingAndKey):
            (17, 404, "kinds.enabled_without_\(kind.rawValue)")
        case .caller(.callerRequired): (18, 403, "caller_required")
        case .caller(.unauthenticated): (19, 401, "unauthenticated")
        case .caller(.invalidCredentials): (20, 401, "invalid_credentials")
        case .caller(.notAllowed): (21, 403, "not_allowed")
        case .caller(.limited): (22, 429, "too_many_requests")
        case .caller(.checkUnavailable): (23, 503, "caller_check_unavailable")
        case .caller(.auditUnavailable): (24, 503, "audit_unavailable")
        case .reloadFieldMissing: (25, 403, "reload_field_missing")
        case .unknownAdminPath: (26, 404, "unknown_path")
        case .hostNotAllowed: (27, 403, "host_not_allowed")
        case .consoleHeaderMissing: (28, 403, "console_header_missing")
        case .caller(.notAllowedWithoutCredentials): (8, 403, "not_allowed")
        }
    }

    @Test func `every problem has its status, its code and exactly five members`() throws {
        #expect(Set(Self.problems.map { expected($0).ordinal }) == Set(0...28))
        for problem in Self.problems {
            let answer = ProblemAnswer.answer(problem)
            let (_, status, code) = expected(problem)
            #expect(answer.status.rawValue == status)
            try expectProblem(answer, code: code, detail: problem.detail)
        }
    }

    @Test(arguments: RequestRejection.allCases)
    func `every rejected request has its code and exactly five members`(rejection: RequestRejection) throws {
        let answer = ProblemAnswer.answer(rejection)
        #expect(answer.status == rejection.status)
        #expect((400...505).contains(answer.status.rawValue))
        try expectProblem(answer, code: rejection.code, detail: rejection.detail)
    }

    @Test func `the API page lists every code with its status exactly once`() throws {
        let rows = try DocumentationPage("API").rows(under: "## Errors")
        let listed = rows.flatMap { row in DocumentationPage.quoted(row[0]).map { "\($0) \(row[1])" } }
        // KIND replaces the kind in codes that name one.
        let answered = Self.problems.map { problem in
            TokenKind.allCases.reduce("\(problem.code) \(problem.status.rawValue)") { text, kind in
                text.replacing(".\(kind.rawValue).", with: ".KIND.")
                    .replacing("_without_\(kind.rawValue) ", with: "_without_KIND ")
            }
        }
        #expect(Set(listed) == Set(answered + RequestRejection.allCases.map { "\($0.code) \($0.status.rawValue)" }))
        #expect(listed.count == Set(listed).count)
    }

    @Test func `each error of the page has a cause and inspect's cure`() throws {
        for row in try DocumentationPage("API").rows(under: "## Errors") {
            #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)")
            for code in DocumentationPage.quoted(row[0]) {
                let cure = RequestOutcome.cure(of: code.replacing("KIND", with: "driver"))
                #expect(cure?.replacing("driver", with: "KIND") == row[3].replacing("`", with: ""), "\(code)")
            }
        }
        #expect(RequestOutcome.cure(of: "kinds.nothing.credentials_unset") == nil)
    }

    @Test func `problem codes are words that no rejected request uses`() {
        let codes = Set(Self.problems.map(\.code))
        #expect(codes.isDisjoint(with: RequestRejection.allCases.map(\.code)))
        for code in codes { #expect(code.wholeMatch(of: /[a-z]+([._][a-z]+)*/) != nil) }
    }

    @Test func `an unknown parameter's name is escaped in the answer`() throws {
        let body = ProblemAnswer.answer(.unknownParameter("a\u{202E}\u{9B}b")).body
        #expect(String(decoding: body, as: UTF8.self).contains(#"\"a\u202e\u009bb\""#))
    }

    @Test func `a problem is compact JSON with five members in fixed order`() {
        let body = String(decoding: ProblemAnswer.answer(.unknownWord(.expiration)).body, as: UTF8.self)
        #expect(
            body == #"{"type":"about:blank","title":"Bad Request","status":400,"#
                + #""detail":"expiration: expected absolute or relative.","code":"invalid_expiration"}"#)
    }

    @Test func `only a retryable problem has Retry-After, only a wrong method Allow`() {
        for problem in Self.problems {
            let fields = ProblemAnswer.answer(problem).fieldText
            #expect(fields.contains("Retry-After: 5\r\n") == (problem.status == .serviceUnavailable))
            #expect(fields.contains("Allow: GET, HEAD\r\n") == (problem.status == .methodNotAllowed))
        }
        for rejection in RequestRejection.allCases {
            let fields = ProblemAnswer.answer(rejection).fieldText
            #expect(fields.contains("Retry-After: 5\r\n") == (rejection.status == .serviceUnavailable))
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
