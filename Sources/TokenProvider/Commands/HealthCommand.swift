import ArgumentParser
import HTTPServer

/// `token-provider health`: whether a running daemon is well, for whoever can only run programs.
struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a running daemon whether it is well.",
        discussion: """
            Asks the admin listener, as the configuration and the environment give it (admin.listen), and writes its \
            answer. Made for the health checks of containers:

              HEALTHCHECK CMD ["token-provider", "health"]

            Without --ready it asks /healthz: whether every loop turns; where one does not, a restart helps. With \
            --ready it asks /readyz: whether a request for a token can be answered with one.

            Exit status: 0 where the daemon is well, 1 where it is not or does not answer in time, 64 for a wrong command \
            line, 78 for a wrong configuration.
            """)

    @Option(help: ArgumentHelp("Configuration file (YAML).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Where the admin listener is, as the daemon says it at its start: http://ADDR:PORT or unix:PATH.",
            valueName: "url"))
    var url: String?

    @Flag(help: "Ask whether it can hand out tokens, too.")
    var ready = false

    @Option(help: ArgumentHelp("Seconds for the answer, 1 to 60.", valueName: "seconds"))
    var timeout = 5

    func run() throws {
        ProcessSetup.prepare()
        guard (1...60).contains(timeout) else { throw Startup.misuse("--timeout: \(timeout) is not within 1 to 60") }
        let client = AdminClient(address: try address(), patience: timeout)
        let answer = try Startup.orExit { try client.get(ready ? .readiness : .health) }
        try Startup.deliver(answer.body)
        guard answer.status == HTTPStatus.ok.rawValue else { throw ExitCode.failure }
    }

    private func address() throws -> SocketAddress {
        if let url { return try address(of: url) }
        guard let address = try listening().first else {
            throw Startup.refuse(["admin.listen is empty, so that nobody can be asked; expected an address, or --url"])
        }
        guard !address.takesAnyPort else {
            throw Startup.refuse(["admin.listen is \"\(address)\", any free port; expected --url to say which"])
        }
        return address
    }

    private func listening() throws -> [SocketAddress] {
        do throws(ConfigurationErrors) {
            return try Configuration.load(
                file: config, flags: ConfigurationFlags(), environment: Startup.environment(), rules: []
            ).configuration.admin.listen
        } catch {
            throw Startup.refuse(error)
        }
    }

    private func address(of url: String) throws -> SocketAddress {
        let scheme = "http://"
        var text = url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : url
        if url.hasPrefix(scheme), text.hasSuffix("/") { text.removeLast() }
        do throws(SocketAddressError) {
            return try SocketAddress(text)
        } catch {
            throw Startup.misuse("--url: \"\(url)\" \(error.problem); expected http://ADDR:PORT or unix:PATH")
        }
    }
}
