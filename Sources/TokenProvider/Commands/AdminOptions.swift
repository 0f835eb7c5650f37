import ArgumentParser
import HTTPServer

/// Which running daemon a command asks.
struct AdminOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Configuration file (YAML).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Where the admin listener is, as the daemon says it at its start: http://ADDR:PORT or unix:PATH.",
            valueName: "url"))
    var url: String?

    /// Who asks it, and waits for so many seconds.
    func client(patience: Int, within range: ClosedRange<Int>) throws -> AdminClient {
        guard range.contains(patience) else {
            throw Startup.misuse("--timeout: \(patience) is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return AdminClient(address: try address(), patience: patience)
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
        try Startup.orRefuseConfiguration { () throws(ConfigurationErrors) in
            try Configuration.load(
                file: config, flags: ConfigurationFlags(), environment: Startup.environment(), rules: []
            ).configuration.admin.listen
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
