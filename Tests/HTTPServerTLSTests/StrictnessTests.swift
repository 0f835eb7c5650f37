import TestSupport
import Foundation
import HTTPServer
import Testing

@testable import HTTPServerSupport

/// Requests that are refused in plain HTTP/1.1 are refused over TLS too.
struct StrictnessTests {
    @Test func `ambiguous requests are refused over TLS, and nothing after them answered`() throws {
        let attempts =
            AmbiguousRequest.bodyLengths + AmbiguousRequest.transferCodings + AmbiguousRequest.lines
            + AmbiguousRequest.targetsAndHosts
        let server = try TLSTestServer()
        let command = ["python3", TLSTestServer.script("client.py"), "strict", server.port, server.authority.path]
        let texts = try JSONEncoder().encode(attempts.map(\.text))
        let outcome = try Child.run(command, input: String(decoding: texts, as: UTF8.self))
        let answers = outcome.output.split(separator: "\n")
        #expect(answers.count == attempts.count && attempts.count > 100, "\(outcome.errors)")
        for (attempt, answer) in zip(attempts, answers) {
            #expect(answer == "1 \(attempt.reason.code)", "\(attempt.name)")
        }
    }
}
