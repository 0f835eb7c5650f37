import TestSupport
import Foundation
import Testing

/// The Python clients, and the virtual environments for those that need verifiers or identity providers.
enum PythonClients {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "clients")

    private static let verifiers = environment("end-to-end-venv", "requirements.txt")
    private static let browsers = environment("browser-venv", "browsers.txt")
    private static let providers = environment("identity-provider-venv", "identity_providers.txt")
    private static let documentation = environment("documentation-venv", "documentation_tools.txt", ["--no-deps"])

    /// Created once for all tests, next to the build, so that the next run finds it.
    private static func environment(
        _ name: String, _ requirements: String, _ flags: [String] = []
    ) -> Result<String, any Error> {
        Result {
            let venv = URL(filePath: Program.daemon).deletingLastPathComponent().appending(path: name).path
            let requirements = folder.appending(path: requirements).path
            let stamp = "\(venv)/installed"
            let wanted = try String(contentsOfFile: requirements, encoding: .utf8)
            if (try? String(contentsOfFile: stamp, encoding: .utf8)) != wanted {
                try Program.mustRun("python3", ["-m", "venv", "--clear", venv])
                try Program.mustRun(
                    "\(venv)/bin/pip", ["install", "-q", "--disable-pip-version-check", "-r", requirements] + flags)
                try Data(wanted.utf8).write(to: URL(filePath: stamp))
            }
            return "\(venv)/bin/python"
        }
    }

    /// Runs a client that needs only Python; a failing client prints its own message.
    @discardableResult
    static func run(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        try run("python3", script, arguments)
    }

    /// Runs a client that needs the verifiers.
    @discardableResult
    static func runVerifier(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        try run(verifiers.get(), script, arguments)
    }

    /// Runs a client that looks into processes that forbid dumps: they are root's.
    static func runAsRoot(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        let command = (geteuid() == 0 ? [] : ["sudo", "-n"]) + ["python3", path(script)] + arguments
        return try printed(Program.mustRun("/usr/bin/env", command))
    }

    /// The command of a client that needs the verifiers.
    static func verifier(_ script: String, _ arguments: [String]) throws -> [String] {
        [try verifiers.get(), path(script)] + arguments
    }

    /// Runs a client that drives a browser.
    @discardableResult
    static func runBrowser(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        try run(browsers.get(), script, arguments)
    }

    /// Runs a client that needs identity providers, or the library that makes their tokens.
    @discardableResult
    static func runProvider(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        try run(providers.get(), script, arguments)
    }

    /// The path of a program that runs what the documentation shows.
    static func documentationTool(_ name: String) throws -> String {
        try URL(filePath: documentation.get()).deletingLastPathComponent().appending(path: name).path
    }

    /// The folder of an installed package of those that run what the documentation shows.
    static func documentationPackage(_ name: String) throws -> String {
        let script =
            "import importlib.util, sys; print(importlib.util.find_spec(sys.argv[1]).submodule_search_locations[0])"
        return try String(Program.mustRun(documentation.get(), ["-c", script, name]).dropLast())
    }

    /// Starts a client that needs one of those packages, and runs until it is terminated.
    static func startDocumentationTool(_ script: String, _ arguments: [String]) throws -> RunningClient {
        try RunningClient([documentation.get(), path(script)] + arguments)
    }

    /// Runs such a client with this input, under a program such as unshare.
    static func runProvider(
        under program: [String], _ script: String, _ arguments: [String], input: String
    ) throws -> [String: Any] {
        let command = try program + [providers.get(), path(script)] + arguments
        let outcome = try Program.run(command[0], Array(command.dropFirst()), input: input)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try outcome.json()
    }

    /// Starts a client that signs tokens like an identity provider, and runs until it is terminated.
    static func startProvider(_ script: String, _ arguments: [String] = []) throws -> RunningClient {
        try RunningClient([providers.get(), path(script)] + arguments)
    }

    /// Starts a client that runs until it is terminated, and returns once it has printed a line.
    static func start(_ script: String, _ arguments: [String]) throws -> RunningClient {
        try RunningClient(["python3", path(script)] + arguments)
    }

    static func path(_ script: String) -> String { folder.appending(path: script).path }

    private static func run(_ python: String, _ script: String, _ arguments: [String]) throws -> [String: Any] {
        try printed(Program.mustRun(python, [path(script)] + arguments))
    }

    private static func printed(_ output: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
}

/// A client in the background; killed when its owner is released.
final class RunningClient {
    private let process: Child
    private let output: OutputPipe
    let firstLine: String?

    init(_ command: [String]) throws {
        output = try OutputPipe()
        process = try Child(command, output: .pipe(output))
        firstLine = try output.read { $0.contains("\n") }.split(separator: "\n").first.map(String.init)
    }

    /// Kills the client, so that connections to its address are refused.
    func terminate() { process.end() }
}
