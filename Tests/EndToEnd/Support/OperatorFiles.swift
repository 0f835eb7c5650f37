import TestSupport
import Foundation

/// An operator's key file and configuration, and the program that reads them.
final class OperatorFiles {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch(inMemory: true)
        key = try ServiceAccountFile(in: scratch)
    }

    /// Runs a subcommand without the variables that name keys of this machine.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let clean = ["GOOGLE_APPLICATION_CREDENTIALS": "", "NO_COLOR": ""].merging(environment) { $1 }
        return try Program.run(Program.daemon, arguments, environment: clean)
    }

    /// Runs `mint` with the key.
    func mintByKey(_ arguments: [String]) throws -> Outcome {
        try run(["mint", "--credentials", key.path] + arguments)
    }

    /// Runs a subcommand with a terminal for its standard output.
    func runOnTerminal(_ arguments: [String], environment: [String: String]) throws -> Outcome {
        let clean = ["GOOGLE_APPLICATION_CREDENTIALS": "", "NO_COLOR": ""].merging(environment) { $1 }
        return try Program.runOnTerminal(Program.daemon, arguments, environment: clean)
    }

    /// Writes a configuration file, and returns its path.
    func configuration(_ yaml: String) throws -> String { try scratch.write("token-provider.yaml", yaml) }
}

extension Outcome {
    /// The output as a JSON object; empty unless it is exactly one line.
    func json() throws -> [String: Any] {
        guard output.hasSuffix("}\n"), output.filter({ $0 == "\n" }).count == 1 else { return [:] }
        return try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }

    /// The lines of standard error, without the program's name, or a log line's time and level, in front.
    var sentences: [String] {
        errors.split(separator: "\n").map { String($0.trimmingPrefix(#/token-provider: |\S+Z error /#)) }
    }
}
