import Testing

@testable import TokenService

/// The refusals that clients get, repeated literally because apps and proxies rely on them.
@Suite struct CallerProblemTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let problem: CallerProblem
        let status: Int
        let code: String
        let outcome: AuditRecord.Outcome
        let fields: [String]
        let detail: String

        var testDescription: String { code }
    }

    static let rows = [
        Row(
            problem: .unauthenticated, status: 401, code: "unauthenticated", outcome: .unauthenticated,
            fields: [#"WWW-Authenticate: Bearer realm="token-provider""#],
            detail: "The request does not say who is calling; expected Authorization: Bearer."),
        Row(
            problem: .invalidCredentials, status: 401, code: "invalid_credentials", outcome: .unauthenticated,
            fields: [#"WWW-Authenticate: Bearer realm="token-provider", error="invalid_token""#],
            detail: "The credentials are not accepted; expected ones that are valid now."),
        Row(
            problem: .notAllowed, status: 403, code: "not_allowed", outcome: .denied,
            fields: [#"WWW-Authenticate: Bearer realm="token-provider", error="insufficient_scope""#],
            detail: "This caller may not have this token."),
        // RFC 6750 section 3.1: no error code for a request without credentials.
        Row(
            problem: .notAllowedWithoutCredentials, status: 403, code: "not_allowed", outcome: .denied,
            fields: [#"WWW-Authenticate: Bearer realm="token-provider""#],
            detail: "This caller may not have this token."),
        Row(
            problem: .callerRequired(.deliveryFleetReader), status: 403, code: "caller_required", outcome: .denied,
            fields: [],
            detail:
                "Tokens of the kind delivery_fleet_reader open the whole fleet; expected an authenticated caller "
                + "and a rule for them."),
        Row(
            problem: .limited(retryAfter: 7), status: 429, code: "too_many_requests", outcome: .limited,
            fields: ["Retry-After: 7"],
            detail: "There are too many requests; try again after the seconds of Retry-After."),
        Row(
            problem: .checkUnavailable, status: 503, code: "caller_check_unavailable", outcome: .failed,
            fields: ["Retry-After: 5"], detail: "Callers cannot be checked at the moment; try again later."),
        Row(
            problem: .auditUnavailable, status: 503, code: "audit_unavailable", outcome: .failed,
            fields: ["Retry-After: 5"], detail: "No token can be handed out at the moment; try again later."),
    ]

    @Test(arguments: rows)
    func `each refusal has its status, code, headers, detail and audit outcome`(row: Row) {
        #expect(TokenProblem.caller(row.problem).status.rawValue == row.status)
        #expect(row.problem.code == row.code)
        #expect(row.problem.auditOutcome == row.outcome)
        #expect(row.problem.fields.map { "\($0.name): \($0.value)" } == row.fields)
        #expect(TokenProblem.caller(row.problem).detail == row.detail)
    }

    @Test(arguments: rows)
    func `a refusal adds only its own headers to the common ones`(row: Row) {
        let answer = ProblemAnswer.answer(.caller(row.problem))
        let common = [
            "Content-Type: application/problem+json", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
        ]
        #expect(answer.fieldText == (common + row.fields).map { "\($0)\r\n" }.joined())
    }
}
