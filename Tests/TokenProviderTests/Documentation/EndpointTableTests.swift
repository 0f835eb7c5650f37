@testable import ServiceConfiguration
@testable import TokenService
import FleetEngineToken
import Foundation
import TestSupport
import Testing

/// Compares the table of paths with the formats of their answers.
@Suite struct EndpointTableTests {
    /// The answer cell of each path, by its kind's name.
    private let answers: [String: String]

    init() throws {
        var answers: [String: String] = [:]
        for row in try DocumentationPage("API").rows(under: "## Requests") where row.count == 3 {
            for path in DocumentationPage.quoted(row[0]) where path.hasPrefix("/token/") {
                answers[String(path.split(separator: "/")[1])] = row[2]
            }
        }
        self.answers = answers
    }

    /// The members of a path's answer; a row may refer to another path.
    private func members(of name: String) throws -> Set<String> {
        let answer = try #require(answers[name], "no row for \(name)")
        let quoted = try #require(DocumentationPage.quoted(answer).first)
        if quoted.hasPrefix("/token/") { return try members(of: String(quoted.split(separator: "/")[1])) }
        let json = try JSONSerialization.jsonObject(with: Data(quoted.utf8))
        return Set(try #require(json as? [String: Any]).keys)
    }

    @Test func `every kind's path has the documented members`() throws {
        #expect(Set(answers.keys) == Set(TokenPath.namedKinds.map(\.name)))
        for (name, kind) in TokenPath.namedKinds {
            let form = AnswerForm(AnswerFormat(pathOf: kind), .absolute)
            let shape = AnswerShape(form, of: kind, names: Configuration.Answer())
            #expect(try members(of: name) == Set(shape.tokenNames + shape.times.map(\.name)), "\(name)")
        }
    }
}
