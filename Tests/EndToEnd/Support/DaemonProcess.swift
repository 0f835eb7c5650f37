import TestSupport
import Foundation
import Testing

/// The real binary as a running process; killed when its owner is released.
final class DaemonProcess {
    let scratch: Scratch
    let process: Child
    /// The base URL, `http://127.0.0.1:PORT`, or `unix:PATH`.
    let url: String
    /// The standard output until the daemon listened.
    let said: String
    // The daemon writes on, so the pipe must keep a reader.
    private let output: OutputPipe
    private var unread: OutputPipe?

    /// Starts the daemon with the arguments and returns once it listens.
    convenience init(_ arguments: [String], environment: [String: String] = [:], scratch: Scratch? = nil) throws {
        let scratch = try scratch ?? Scratch()
        try self.init(
            [Program.daemon] + arguments, environment: environment, scratch: scratch,
            errors: .file(scratch.path("daemon.log")))
    }

    /// With at most this many file descriptors.
    convenience init(limitingDescriptors count: Int, _ arguments: [String], scratch: Scratch) throws {
        let command = ["/bin/sh", "-c", "ulimit -n \(count); exec \"$0\" \"$@\"", Program.daemon] + arguments
        try self.init(command, environment: [:], scratch: scratch, errors: .file(scratch.path("daemon.log")))
    }

    /// With a shell redirection such as `2>&-`; standard error goes to the log unless redirected.
    convenience init(redirecting redirection: String, _ arguments: [String], scratch: Scratch) throws {
        let command = ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(redirection)", Program.daemon] + arguments
        try self.init(command, environment: [:], scratch: scratch, errors: .file(scratch.path("daemon.log")))
    }

    /// Under a program that becomes the daemon, such as unshare, or has it as a child, such as strace.
    convenience init(
        under program: [String], _ arguments: [String], environment: [String: String] = [:], scratch: Scratch
    ) throws {
        let command = ["/usr/bin/env"] + program + [Program.daemon] + arguments
        try self.init(command, environment: environment, scratch: scratch, errors: .file(scratch.path("daemon.log")))
    }

    /// The daemon's process id when it runs as the child of such a program.
    func child() throws -> Int32 {
        let identifier = process.identifier
        let children = try String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    }

    /// With a pipe for standard error that the test does not read.
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

    /// Matches a plain text line, or the end of a JSON line.
    private static var listening: Regex<(Substring, Substring)> { /listening on ([^\s"]+)(?:"})?\n/ }

    /// What was said, without the time and level of each line.
    var announced: String { said.replacing(#/(?m)^\S+Z info /#, with: "") }

    /// A daemon on a free port that signs with this key file.
    convenience init(
        scratch: Scratch, key: ServiceAccountFile, flags: [String] = [], environment: [String: String] = [:]
    ) throws {
        try self.init(
            ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"] + flags,
            environment: environment, scratch: scratch)
    }

    /// The environment for an admin listener on a free port.
    static let withAdmin = ["TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0"]

    /// The base URL of the admin listener.
    func adminURL() throws -> String { try String(#require(said.firstMatch(of: /admin on ([^\s"]+)(?:"})?\n/)).1) }

    /// What the console says to do about a check, with its commands after it; nil if it has nothing to say.
    func cure(of check: String) throws -> String? {
        let checks = try #require(Curl("\(adminURL())/console/data.json").json()["checks"] as? [[String: Any]])
        let found = try #require(checks.first { $0["name"] as? String == check })
        guard let cure = found["cure"] as? String else { return nil }
        return ([cure] + (found["commands"] as? [String] ?? [])).joined(separator: "\n")
    }

    var port: String { String(url.split(separator: ":").last ?? "") }

    func log() throws -> String { try scratch.text("daemon.log") }

    /// Waits until the log contains a text this many times; fails if the daemon ends first.
    func waitForLog(_ text: String, times: Int = 1) throws {
        try Patience.wait(for: text) {
            if try log().ranges(of: text).count >= times { return true }
            try #require(process.isRunning, "it ended without saying \(text)")
            return false
        }
    }

    /// Closes the reading end of the unread pipe.
    func closeUnreadLog() { unread = nil }

    /// Ends a daemon with an unread log, and returns its status and what the log pipe still holds.
    func endReadingLog() throws -> (status: Int32, log: String) {
        process.send(SIGTERM)
        let log = try #require(unread).read()
        return (try process.wait(), log)
    }

    /// Reads the rest of standard output until the daemon ends.
    func restOfOutput() throws -> String { try output.read() }

    /// Sends a signal, waits for the end, and returns the exit status.
    @discardableResult
    func end(by signal: Int32 = SIGTERM) throws -> Int32 {
        process.send(signal)
        return try process.wait()
    }
}
