import TestSupport
import Foundation

/// Runs programs to their end.
enum Program {
    /// Runs a program with the input, or none.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Outcome {
        let command = [path] + arguments
        return try Child.run(command, environment: Self.environment(command, environment), input: input)
    }

    /// The environment of a command. A daemon without a configuration file authenticates no caller. The default admin
    /// listener is off, because all daemons would share its address.
    static func environment(_ command: [String], _ own: [String: String]) -> [String: String] {
        let isScript = command.contains { $0.hasSuffix(".py") }
        let isOpen = command.contains(daemon) && !isScript && !command.contains("--config")
        let open = isOpen ? ["TOKEN_PROVIDER_CALLERS": "none"] : [:]
        return ["TOKEN_PROVIDER_ADMIN_LISTEN": ""].merging(counts) { $1 }.merging(open) { $1 }.merging(own) { $1 }
    }

    /// Where programs count the lines that they run, if these tests do: in files shared by all, mapped at the start (`%c`),
    /// since a daemon may be killed, and none may open the file in its sandbox.
    private static let counts: [String: String] = {
        guard let own = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] else { return [:] }
        return [
            "LLVM_PROFILE_FILE": URL(filePath: own).deletingLastPathComponent().appending(path: "program%c%4m.profraw")
                .path
        ]
    }()

    /// Runs the daemon's binary, which must end by itself, without the variable that names a key on this machine.
    static func refusal(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let clean = ["GOOGLE_APPLICATION_CREDENTIALS": ""].merging(environment) { $1 }
        return try run(daemon, arguments, environment: clean)
    }

    /// What the daemon says of an address that another socket has.
    static func inUse(_ address: String) -> String {
        let cure =
            address.hasPrefix("unix:")
            ? "path: stop what listens there (ss -lxp), remove the file if it is not a socket, or choose another path"
            : "address: stop what listens there (ss -ltnp), choose another, or set http.share_ports for an upgrade"
        return "listen on \(address): Address already in use; expected a free \(cure)"
    }

    /// Runs a program on a terminal; the outcome's output has both standard output and standard error.
    static func runOnTerminal(_ path: String, _ arguments: [String], environment: [String: String]) throws -> Outcome {
        let script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        return try run("python3", ["-c", script, path] + arguments, environment: environment)
    }

    /// Runs a program that must succeed, and returns its output.
    @discardableResult
    static func mustRun(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let command = [path] + arguments
        return try Child.mustRun(command, environment: Self.environment(command, environment))
    }

    /// The path of the daemon's binary, which is built next to the tests.
    static let daemon: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
        return tests.deletingLastPathComponent().appending(path: "token-provider").path
    }()
}
