import ArgumentParser
import HTTPServer
import ServiceConfiguration
import SystemFiles

/// Selects the running daemon that a command talks to.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Configuration file (YAML) that sets admin.listen. Default: TOKEN_PROVIDER_CONFIG, then the service's.",
            valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Address of the admin listener, http://ADDR:PORT or unix:PATH. Default: admin.listen.",
            valueName: "url"))
    var url: String?

    /// The client for the selected daemon; throws unless the timeout in seconds is in the range.
    func client(timeout: Int, within range: ClosedRange<Int>) throws -> AdminClient {
        guard let client = try clientIfConfigured(timeout: timeout, within: range) else {
            throw Startup.refuse(
                ConfigurationErrors(sentences: [
                    "admin.listen is empty, so the daemon has no admin listener; expected an address, or --url"
                ]))
        }
        return client
    }

    /// The same; nil if the daemon has no admin listener.
    func clientIfConfigured(timeout: Int, within range: ClosedRange<Int>) throws -> AdminClient? {
        guard range.contains(timeout) else {
            throw Startup.misuse("--timeout: \(timeout) is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return try addresses().map { AdminClient(addresses: $0, timeout: timeout) }
    }

    private func addresses() throws -> [SocketAddress]? {
        if let url { return [try address(of: url)] }
        let (key, addresses) = try listening()
        guard let first = addresses.first else { return nil }
        let known = addresses.filter { !$0.takesAnyPort }
        guard !known.isEmpty else {
            throw Startup.refuse(
                ConfigurationErrors(sentences: [
                    "\(key.rawValue) is \"\(first)\", which means any free port; expected --url with the port"
                ]))
        }
        return known
    }

    /// The addresses without TLS, and the key that sets them. Other errors of the configuration do not matter here: the
    /// daemon reports them, and serves on.
    private func listening() throws -> (key: Configuration.ListeningKey, addresses: [SocketAddress]) {
        let environment = Environment.variables()
        let file = SocketUnits.configuration(config, environment)
        let read = Configuration.read(
            file: file, flags: ConfigurationFlags(), environment: environment, rules: [],
            inheriting: SocketUnits.sockets(for: file))
        let key: Configuration.ListeningKey = read.values.admin.listen.isEmpty ? .list : .admin
        if let errors = read.errors(inAnyOf: [Configuration.ListeningKey.admin.rawValue, key.rawValue]) {
            throw Startup.refuse(errors)
        }
        warnOfDefault(read)
        let listeners = read.values.listeners(of: key).filter { $0.service == .admin && !$0.isSecure }
        return (key, listeners.map(\.address))
    }

    /// Warns that the daemon may listen elsewhere, because the configuration file cannot be read.
    private func warnOfDefault(_ read: ConfigurationResolver) {
        guard !read.isWhole, !read.isGiven(Configuration.ListeningKey.admin.rawValue) else { return }
        do { _ = try read.configuration() } catch {
            let used = read.values.admin.listen.map(\.description).joined(separator: ", ")
            for sentence in error.sentences { Terminal.warn("\(sentence); using \(used), or see --url") }
        }
    }

    private func address(of url: String) throws -> SocketAddress {
        let scheme = "http://"
        var text = url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : url
        if url.hasPrefix(scheme), text.hasSuffix("/") { text.removeLast() }
        return try Startup.orMisuse { () throws(SocketAddressError) in
            try SocketAddress(text)
        } sentence: {
            "--url: \"\(url)\" \($0.problem); expected http://ADDR:PORT or unix:PATH"
        }
    }
}
