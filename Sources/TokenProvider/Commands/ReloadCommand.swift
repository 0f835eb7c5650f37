import ArgumentParser
import HTTPServer
import StrictJSON
import SystemFiles

/// `token-provider reload`: has a running daemon read its files anew, and tells what came of it.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have a running daemon read its configuration, keys and certificates anew.",
        discussion: """
            Asks the admin listener, as the configuration and the environment give it (admin.listen), and waits. All that \
            the files say is swapped at once while connections stay open, or where anything is wrong nothing is, and the \
            reasons are told. What only counts from the next start on is told, too.

            Of the configuration only the address has to be right here: whatever else is wrong the daemon finds, and keeps \
            what it has. Where the file cannot be read at all, and no variable says otherwise, the default is asked.

            Exit status: 0 where the new state is in force, 1 where the former one stays or no daemon answers in time, 64 \
            for a wrong command line, 78 where the configuration says the address wrongly, or that there is none.
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Seconds for the answer, 1 to 600.", valueName: "seconds"))
    var timeout = 60

    func run() throws {
        ProcessSetup.prepare()
        let client = try admin.client(patience: timeout, within: 1...600)
        let answer: AdminClient.Answer
        do throws(SystemError) {
            answer = try client.reload()
        } catch {
            Terminal.complain("no daemon has answered: \(error); expected one whose admin listener is there (--url)")
            throw ExitCode.failure
        }
        guard answer.status == HTTPStatus.ok.rawValue else { throw refusal(answer, of: client.address) }
        try Startup.deliver("reloaded")
        for sentence in sentences("restart_for", of: answer) { Terminal.warn(sentence) }
    }

    /// Says why nothing was reloaded; the exit status to throw.
    private func refusal(_ answer: AdminClient.Answer, of address: SocketAddress) -> ExitCode {
        let reasons = sentences("reload_errors", of: answer)
        for reason in reasons { Terminal.complain("not reloaded, the former configuration stays: \(reason)") }
        if reasons.isEmpty {
            Terminal.complain("the listener at \(address) refuses to reload (status \(answer.status)): \(answer.body)")
        }
        return .failure
    }

    private func sentences(_ name: JSONName, of answer: AdminClient.Answer) -> [String] {
        guard case .object(let json)? = try? JSONValue(parsing: Array(answer.body.utf8)),
            case .array(let all)? = json[name]
        else { return [] }
        return all.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
