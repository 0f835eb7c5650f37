@testable import TokenServiceTests
@testable import FleetEngineToken
@testable import HTTPServer
import Testing

/// The README's table of errors against the codes of the program.
@Suite struct ErrorTableTests {
    private let rows: [[String]]

    init() throws { rows = try Readme().rows(under: "## Every error") }

    /// Each code that an answer can have, with its status; of codes that name a kind, the word KIND stands for all.
    private static var answered: Set<String> {
        // ProblemAnswerTests sees to it that every case is among these.
        let problems = ProblemAnswerTests.problems.map { problem in
            TokenKind.allCases.reduce("\(problem.code) \(problem.status.rawValue)") { text, kind in
                text.replacing(".\(kind.rawValue).", with: ".KIND.")
                    .replacing("_without_\(kind.rawValue) ", with: "_without_KIND ")
            }
        }
        return Set(problems + RequestRejection.allCases.map { "\($0.code) \($0.status.rawValue)" })
    }

    @Test func `it has every code with its status once, and no other`() {
        let told = rows.flatMap { row in Readme.quoted(row[0]).map { "\($0) \(row[1])" } }
        #expect(Set(told) == Self.answered)
        #expect(told.count == Set(told).count)
    }

    @Test func `each has a cause and a cure`() {
        for row in rows {
            #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)")
        }
    }
}
