import Foundation
import Testing

/// What a program left behind.
struct Outcome {
    let status: Int32
    let output: String
    let errors: String
}

/// Programs that run to their end.
enum Program {
    /// Runs one, with the input, or nothing, on its standard input.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil,
        input: String? = nil
    ) throws -> Outcome {
        let scratch = try Scratch()
        let process = Process()
        process.executableURL = URL(filePath: path.contains("/") ? path : "/usr/bin/env")
        process.arguments = path.contains("/") ? arguments : [path] + arguments
        process.environment = Program.environment([path] + arguments, environment)
        if let folder { process.currentDirectoryURL = folder }
        let inputFile = try input.map { try scratch.write("input", $0) } ?? "/dev/null"
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: inputFile))
        process.standardOutput = try scratch.handle("output")
        process.standardError = try scratch.handle("errors")
        try process.run()
        Patience.waitForEnd(of: process)
        return Outcome(
            status: process.terminationStatus, output: try scratch.text("output"), errors: try scratch.text("errors"))
    }

    /// The surroundings of a command: where it is the daemon, nobody is asked who they are, unless it reads a file that may
    /// say otherwise.
    static func environment(_ command: [String], _ own: [String: String]) -> [String: String] {
        let isScript = command.contains { $0.hasSuffix(".py") }
        let isOpen = command.contains(daemon) && !isScript && !command.contains("--config")
        let open = isOpen ? ["TOKEN_PROVIDER_CALLERS": "none"] : [:]
        return ProcessInfo.processInfo.environment.merging(open) { $1 }.merging(own) { $1 }
    }

    /// Runs one with a terminal for standard input, output and error, which all come out as output.
    static func runOnTerminal(_ path: String, _ arguments: [String], environment: [String: String]) throws -> Outcome {
        let script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        return try run("python3", ["-c", script, path] + arguments, environment: environment)
    }

    /// Runs one that must succeed; its output.
    @discardableResult
    static func mustRun(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let outcome = try run(path, arguments, environment: environment)
        try #require(outcome.status == 0, "\(path) \(arguments.first ?? ""): \(outcome.errors)\(outcome.output)")
        return outcome.output
    }

    /// The daemon's binary, built beside the tests.
    static let daemon: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
        return tests.deletingLastPathComponent().appending(path: "token-provider").path
    }()
}

extension Scratch {
    func handle(_ name: String) throws -> FileHandle {
        try write(name, "")
        return try FileHandle(forWritingTo: URL(filePath: path(name)))
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}
