import CallerAccess
import FleetEngineToken
import Testing

@testable import HTTPServer
@testable import TokenService

/// The numbers under which answers are counted, and their labels in metrics.
@Suite struct RequestTallyTests {
    @Test func `each route and kind has its own labels`() {
        let labels = RequestCategory.all.map { "\($0.labels.route) \($0.labels.kind)" }
        #expect(Set(labels).count == 3 + 2 * (1 + TokenKind.allCases.count))
        #expect(RequestCategory.query(.consumer).labels == ("/token", "consumer"))
        #expect(RequestCategory.query(nil).labels == ("/token", "none"))
        #expect(RequestCategory.path(.fleetReader).labels == ("/token/{kind}", "fleet_reader"))
        #expect(RequestCategory.path(.taskBatch).labels == ("/token/{kind}/{id}", "task_batch"))
        #expect(RequestCategory.path(nil).labels == ("/token/{kind}/{id}", "none"))
        for kind in TokenKind.allCases {
            #expect(RequestCategory(isPath: true, kind) == .path(kind))
            #expect(RequestCategory(isPath: false, kind) == .query(kind))
        }
        #expect(RequestCategory.all.allSatisfy { Int($0.number) < AnswerTally.categories })
    }

    @Test func `what authenticated a caller is the credential type of the same name`() {
        let methods: [Principal.AuthenticationMethod] = [.none, .token, .apiKey, .certificate, .forwardAuth]
        #expect(methods.map { CredentialType($0) } == [.none, .token, .apiKey, .certificate, .forwardAuth])
        let labels = ["none", "token", "api_key", "certificate", "forward_auth", "other"]
        #expect(CredentialType.allCases.map(\.label) == labels)
    }

    @Test func `each credential type, outcome and rejection has its own number`() {
        var numbers: [Int] = []
        for credentials in CredentialType.allCases {
            numbers += RequestOutcome.allCases.map { AnswerTally.index($0, by: credentials) }
        }
        numbers += RequestRejection.allCases.map { AnswerTally.index(of: $0) }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0 < AnswerTally.outcomes })
    }

    @Test func `a problem is counted under the code sent to the client`() {
        let problems: [TokenProblem] = [
            .unknownPath, .unknownAdminPath, .unknownKind, .methodNotAllowed(allowed: ""), .originNotAllowed,
            .missingID(nil, called: nil),
            .repeatedParameter(""), .conflictingParameters("", ""), .foreignParameter("", .driver),
            .unknownParameter(""),
            .emptyParameter, .unknownWord(.format), .unknownWord(.expiration),
            .foreignExpiration(.android), .caller(.unauthenticated), .caller(.invalidCredentials), .caller(.notAllowed),
            .caller(.callerRequired(.server)), .caller(.limited(retryAfter: 1)), .caller(.checkUnavailable),
            .caller(.auditUnavailable), .signingUnavailable(),
        ]
        for problem in problems {
            #expect(problem.outcome().code == problem.code)
            #expect(ProblemAnswer.answer(problem).tally == AnswerTally(.other, problem.outcome()))
        }
        #expect(TokenProblem.kindOff(.driver, .key).outcome().code == "kind_off")
        #expect(TokenProblem.caller(.limited(retryAfter: 1)).outcome(by: .failures) == .failuresLimited)
        #expect(TokenProblem.caller(.limited(retryAfter: 1)).outcome(by: .principal) == .principalLimited)
    }
}
