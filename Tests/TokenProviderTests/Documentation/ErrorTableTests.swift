import Testing

@testable import FleetEngineToken
@testable import HTTPServer
@testable import TokenService
@testable import TokenServiceTests

/// Compares the table of errors with the program's codes.
@Suite struct ErrorTableTests {
    private let rows: [[String]]

    init() throws { rows = try DocumentationPage("API").rows(under: "## Errors") }

    /// Each code that an answer can have, with its status. KIND replaces the kind in codes that name one.
    private static var answered: Set<String> {
        // ProblemAnswerTests checks that this list has every case.
        let problems = ProblemAnswerTests.problems.map { problem in
            TokenKind.allCases.reduce("\(problem.code) \(problem.status.rawValue)") { text, kind in
                text.replacing(".\(kind.rawValue).", with: ".KIND.")
                    .replacing("_without_\(kind.rawValue) ", with: "_without_KIND ")
            }
        }
        return Set(problems + RequestRejection.allCases.map { "\($0.code) \($0.status.rawValue)" })
    }

    @Test func `the table lists every code with its status exactly once`() {
        let listed = rows.flatMap { row in DocumentationPage.quoted(row[0]).map { "\($0) \(row[1])" } }
        #expect(Set(listed) == Self.answered)
        #expect(listed.count == Set(listed).count)
    }

    @Test func `each row has a cause, and the cure that inspect gives`() {
        for row in rows {
            #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)")
            for code in DocumentationPage.quoted(row[0]) {
                let cure = RequestOutcome.cure(of: code.replacing("KIND", with: "driver"))
                #expect(cure?.replacing("driver", with: "KIND") == row[3].replacing("`", with: ""), "\(code)")
            }
        }
        #expect(RequestOutcome.cure(of: "kinds.nothing.credentials_unset") == nil)
    }
}
