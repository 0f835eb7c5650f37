import ArgumentParser
import Glibc
import HTTPServer
import StrictJSON
import SystemFiles

/// `token-provider reload`: makes a running daemon reload, and reports the result.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make a running daemon reload its configuration, keys and certificates.",
        discussion: """
            Examples:

              token-provider reload
              token-provider reload --url http://127.0.0.1:8090 --timeout 120

            Does the same as SIGHUP, and reports the result: either everything is replaced \
            while connections stay open, or nothing is. Changes that need a restart are \
            reported as warnings.

            Exit status:
              0   the new configuration is active
              1   the reload failed, or no daemon answered in time
              64  wrong command line
              78  the configuration has no usable admin.listen
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Time to wait for the result, 1 to 600 seconds.", valueName: "seconds"))
    var timeout = 60

    @Option(
        help: ArgumentHelp(
            "A daemon's process, which gets SIGHUP if no admin listener answers. Its log then has the result. Default: none.",
            valueName: "process"))
    var pid: Int32?

    func run() throws {
        ProcessSetup.prepare()
        if let pid, pid < 1 { throw Startup.misuse("--pid: \(pid) is not a process; expected a number from 1") }
        let client: AdminClient
        if let pid {
            guard let known = try admin.clientIfConfigured(timeout: timeout, within: 1...600) else {
                return try signal(pid)
            }
            client = known
        } else {
            client = try admin.client(timeout: timeout, within: 1...600)
        }
        let answer: AdminClient.Answer
        do { answer = try client.reload() } catch {
            // The configuration may name another listener by now.
            if let pid, [ECONNREFUSED, ENOENT].contains(error.code) { return try signal(pid) }
            Terminal.complain("no answer from the daemon: \(error); expected the address of its admin listener (--url)")
            throw ExitCode.failure
        }
        guard answer.confirms("reloaded") else { throw refusal(answer) }
        try Startup.deliver("reloaded")
        for sentence in sentences("restart_for", of: answer) { Terminal.warn(sentence) }
    }

    private func signal(_ process: Int32) throws {
        guard kill(process, SIGHUP) == 0 else {
            Terminal.complain("process \(process) cannot be signalled: \(String(cString: strerror(errno)))")
            throw ExitCode.failure
        }
        try Startup.deliver("no admin listener answers, so process \(process) got SIGHUP; its log has the result")
    }

    /// Reports why the reload failed. Returns the exit status.
    private func refusal(_ answer: AdminClient.Answer) -> ExitCode {
        let reasons = sentences("reload_errors", of: answer)
        for reason in reasons {
            Terminal.complain(
                answer.json["applied"] == .bool(true)
                    ? "part of the reload failed: \(reason); the rest of the new configuration is active"
                    : "not reloaded: \(reason); the previous configuration stays")
        }
        if reasons.isEmpty {
            Terminal.complain(
                "\(answer.address) refuses to reload (status \(answer.status)): \(answer.body); expected the admin listener of a daemon"
            )
        }
        return .failure
    }

    private func sentences(_ name: JSONName, of answer: AdminClient.Answer) -> [String] {
        answer.json[name]?.texts ?? []
    }
}
