import ChildProcess
import Foundation
import Testing

/// The real binary, running; killed with its owner if it still runs.
final class DaemonProcess {
    let scratch: Scratch
    let process: Child
    /// What to put before a path: `http://127.0.0.1:PORT`; or `unix:PATH`.
    let url: String
    /// What it said on standard output until it listened.
    let said: String
    // It goes on writing there, and must find a reader.
    private let output: OutputPipe
    private var unread: OutputPipe?

    /// Starts it with the arguments and returns once it listens.
    convenience init(_ arguments: [String], environment: [String: String] = [:], scratch: Scratch? = nil) throws {
        let scratch = try scratch ?? Scratch()
        try self.init(
            [Program.daemon] + arguments, environment: environment, scratch: scratch,
            errors: .file(scratch.path("daemon.log")))
    }

    /// With so many descriptors and no more.
    convenience init(limitingDescriptors count: Int, _ arguments: [String], scratch: Scratch) throws {
        let command = ["/bin/sh", "-c", "ulimit -n \(count); exec \"$0\" \"$@\"", Program.daemon] + arguments
        try self.init(command, environment: [:], scratch: scratch, errors: .file(scratch.path("daemon.log")))
    }

    /// With a redirection of the shell's, such as `2>&-`; standard error is the log unless it says otherwise.
    convenience init(redirecting redirection: String, _ arguments: [String], scratch: Scratch) throws {
        let command = ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(redirection)", Program.daemon] + arguments
        try self.init(command, environment: [:], scratch: scratch, errors: .file(scratch.path("daemon.log")))
    }

    /// As the child of a program that runs it in its own place, such as unshare, or as its own child, such as strace.
    convenience init(
        under program: [String], _ arguments: [String], environment: [String: String] = [:], scratch: Scratch
    ) throws {
        let command = ["/usr/bin/env"] + program + [Program.daemon] + arguments
        try self.init(command, environment: environment, scratch: scratch, errors: .file(scratch.path("daemon.log")))
    }

    /// The daemon itself, where the process is a program that has it for a child and ends with it.
    func child() throws -> Int32 {
        let identifier = process.identifier
        let children = try String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    }

    /// With a pipe for standard error that nobody reads.
    convenience init(unreadLog arguments: [String], scratch: Scratch) throws {
        let unread = try OutputPipe()
        try self.init([Program.daemon] + arguments, environment: [:], scratch: scratch, errors: .pipe(unread))
        self.unread = unread
    }

    private init(_ command: [String], environment: [String: String], scratch: Scratch, errors: Child.Output)
        throws
    {
        self.scratch = scratch
        output = try OutputPipe()
        process = try Child(
            command, environment: Program.environment(command, environment), output: .pipe(output), errors: errors)
        said = try output.read { $0.contains(Self.listening) }
        let log = (try? scratch.text("daemon.log")) ?? ""
        url = try String(#require(said.firstMatch(of: Self.listening), "it did not listen: \(log)").1)
    }

    /// As text, or as the end of a line of JSON.
    private static var listening: Regex<(Substring, Substring)> { /listening on ([^\s"]+)(?:"})?\n/ }

    /// A daemon on a port the system chose, signing with a key file of its own.
    convenience init(
        scratch: Scratch, key: ServiceAccountFile, flags: [String] = [], environment: [String: String] = [:]
    ) throws {
        try self.init(
            ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"] + flags,
            environment: environment, scratch: scratch)
    }

    /// A variable by which it has an admin listener, on a port that the system chooses.
    static let withAdmin = ["TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0"]

    /// What to put before a path of the admin listener.
    func adminURL() throws -> String { try String(#require(said.firstMatch(of: /admin on ([^\s"]+)(?:"})?\n/)).1) }

    var port: String { String(url.split(separator: ":").last ?? "") }

    func log() throws -> String { try scratch.text("daemon.log") }

    /// Waits until the log holds a text so many times, or the daemon has ended.
    func waitForLog(_ text: String, times: Int = 1) throws {
        try Patience.wait(for: text) {
            if try log().ranges(of: text).count >= times { return true }
            try #require(process.isRunning, "it ended without saying \(text)")
            return false
        }
    }

    /// Closes the reading end of the pipe that nobody reads.
    func closeUnreadLog() { unread = nil }

    /// Ends a daemon whose log nobody has read so far; what is read of it from now to its end.
    func endReadingLog() throws -> (status: Int32, log: String) {
        process.send(SIGTERM)
        let log = try #require(unread).read()
        return (try process.wait(), log)
    }

    /// What it says on standard output from now to its end.
    func restOfOutput() throws -> String { try output.read() }

    /// Sends a signal and waits for the end; the exit status.
    @discardableResult
    func end(by signal: Int32 = SIGTERM) throws -> Int32 {
        process.send(signal)
        return try process.wait()
    }
}
