import ChildProcess
import Foundation

/// Programs that run to their end.
enum Program {
    /// Runs one, with the input, or nothing, on its standard input.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Outcome {
        let command = [path] + arguments
        return try Child.run(command, environment: Self.environment(command, environment), input: input)
    }

    /// The variables of a command: where it is the daemon, nobody is asked who they are, unless it reads a file that may
    /// say otherwise; and no two daemons have the address of the admin listener that each has by default.
    static func environment(_ command: [String], _ own: [String: String]) -> [String: String] {
        let isScript = command.contains { $0.hasSuffix(".py") }
        let isOpen = command.contains(daemon) && !isScript && !command.contains("--config")
        let open = isOpen ? ["TOKEN_PROVIDER_CALLERS": "none"] : [:]
        return ["TOKEN_PROVIDER_ADMIN_LISTEN": ""].merging(open) { $1 }.merging(own) { $1 }
    }

    /// Runs the daemon's binary, which must end by itself, without the variable that names a key of this machine.
    static func refusal(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let clean = ["GOOGLE_APPLICATION_CREDENTIALS": ""].merging(environment) { $1 }
        return try run(daemon, arguments, environment: clean)
    }

    /// Runs one with a terminal for standard input, output and error, which all come out as output.
    static func runOnTerminal(_ path: String, _ arguments: [String], environment: [String: String]) throws -> Outcome {
        let script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        return try run("python3", ["-c", script, path] + arguments, environment: environment)
    }

    /// Runs one that must succeed; its output.
    @discardableResult
    static func mustRun(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let command = [path] + arguments
        return try Child.mustRun(command, environment: Self.environment(command, environment))
    }

    /// The daemon's binary, built beside the tests.
    static let daemon: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
        return tests.deletingLastPathComponent().appending(path: "token-provider").path
    }()
}
