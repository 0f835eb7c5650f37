import ArgumentParser
import HTTPServer
import ServiceConfiguration
import SystemFiles

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
        let (key, addresses) = try listening()
        guard let first = addresses.first else {
            throw Startup.refuse(
                ConfigurationErrors(sentences: [
                    "admin.listen is empty, so that nobody can be asked; expected an address, or --url"
                ]))
        }
        guard let address = addresses.first(where: { !$0.takesAnyPort }) else {
            throw Startup.refuse(
                ConfigurationErrors(sentences: [
                    "\(key.rawValue) is \"\(first)\", any free port; expected --url to say which"
                ]))
        }
        return address
    }

    /// Where it listens without TLS, and which key says so. Nothing else has to be right: what is wrong is the daemon's to
    /// tell, which serves on.
    private func listening() throws -> (key: Configuration.ListeningKey, addresses: [SocketAddress]) {
        let read = Configuration.read(
            file: config, flags: ConfigurationFlags(), environment: Environment.variables(), rules: [])
        let key: Configuration.ListeningKey = read.values.admin.listen.isEmpty ? .list : .admin
        if let errors = read.errors(inAnyOf: [Configuration.ListeningKey.admin.rawValue, key.rawValue]) {
            throw Startup.refuse(errors)
        }
        warnOfGuess(read)
        let listeners = read.values.listeners(of: key).filter { $0.service == .admin && !$0.isSecure }
        return (key, listeners.map(\.address))
    }

    /// Says that a file which cannot be read may name another address than the one that is asked.
    private func warnOfGuess(_ read: ConfigurationResolver) {
        guard !read.isWhole, !read.isGiven(Configuration.ListeningKey.admin.rawValue) else { return }
        do throws(ConfigurationErrors) {
            _ = try read.configuration()
        } catch {
            let asked = read.values.admin.listen.map(\.description).joined(separator: ", ")
            for sentence in error.sentences { Terminal.warn("\(sentence); asked is \(asked), or see --url") }
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
