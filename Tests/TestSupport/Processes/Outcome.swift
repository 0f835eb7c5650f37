/// The status and output of a program that has ended.
package struct Outcome: Sendable {
    /// The exit status, or the negative number of the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String
}

extension Child {
    /// Runs a command to its end; standard input is the text, or empty.
    package static func run(
        _ command: [String], environment: [String: String] = [:], input: String? = nil,
        within limit: Duration = Patience.limit
    ) throws -> Outcome {
        let (output, errors) = (try MemoryFile(), try MemoryFile())
        let child = try Child(
            command, environment: environment, input: input.map { try MemoryFile($0) }, output: .memory(output),
            errors: .memory(errors))
        return Outcome(status: try child.wait(within: limit), output: try output.text(), errors: try errors.text())
    }

    /// Runs a command that must succeed, and returns its output.
    @discardableResult
    package static func mustRun(
        _ command: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> String {
        let outcome = try run(command, environment: environment, input: input)
        guard outcome.status == 0 else {
            throw ChildError("\(command) ended with \(outcome.status), expected 0: \(outcome.errors)\(outcome.output)")
        }
        return outcome.output
    }
}
