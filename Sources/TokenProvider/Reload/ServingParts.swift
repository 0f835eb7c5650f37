import HTTPServer
import HTTPServerHTTP2
import Logging
import ServiceConfiguration
import TokenService

/// What a serving state has of its configuration beside signing keys. Each part is loaded even if another fails, so that all
/// errors are found at once. Loading reads files; it contacts no service and changes nothing.
struct ServingParts {
    /// Nil after an error.
    private(set) var callers: CallerSetup?
    /// Nil after an error.
    private(set) var tls: TLSSetup?
    /// Nil after an error.
    private(set) var server: ServerSettings?
    private(set) var errors = ConfigurationErrors(sentences: [])
    /// Why the library for HTTP/2 cannot be used, which no setting changes; it is among the errors.
    private(set) var libraryFault: HTTP2Error?

    /// Loads all parts. What survives a reload is taken from the previous state. `tls` is used instead of files.
    init(
        _ values: Configuration, after previous: ServingState? = nil, _ tls: TLSSetup? = nil, logger: Logger
    ) {
        loadCallers(values, after: previous, logger)
        if let tls { self.tls = tls } else { loadTLS(values, after: previous) }
        loadServer(values)
    }

    /// Loads the parts whose settings have no errors.
    init(trying resolver: ConfigurationResolver) {
        let values = resolver.values
        if resolver.isWrong(inAnyOf: ["callers", "issuers", "api_keys.file", "rules"]) {
            // Callers cannot be set up, but their files can be read.
            let found = CallerSetup.fileErrors(values, areRulesKnown: resolver.isKnown("rules"))
            for sentence in found { errors.note(sentence) }
        } else {
            loadCallers(values, after: nil, .silent)
        }
        if !resolver.isWrong(inAnyOf: ["tls.certificates", "tls.client_ca_file", "tls.client_crl_file"]) {
            loadTLS(values, after: nil)
        }
        let limits = SettingsTable.all.map(\.path).filter { $0.hasPrefix("http") }
        if !resolver.isWrong(inAnyOf: limits) { loadServer(values) }
    }

    /// Throws all errors.
    func check() throws(ConfigurationErrors) {
        guard errors.sentences.isEmpty else { throw errors }
    }

    /// Settings and files that are allowed but unwise, a sentence each.
    var warnings: [String] { (callers?.warnings ?? []) + (tls?.warnings ?? []) }

    private mutating func loadCallers(
        _ values: Configuration, after previous: ServingState?, _ logger: Logger
    ) {
        callers = errors.noting { () throws(ConfigurationErrors) in
            try CallerSetup(values, after: previous?.callers, logger: logger)
        }
    }

    private mutating func loadTLS(_ values: Configuration, after previous: ServingState?) {
        tls = errors.noting { () throws(ConfigurationErrors) in try TLSSetup(values, after: previous?.tls) }
    }

    private mutating func loadServer(_ values: Configuration) {
        do { server = try ServerSettings(values) } catch {
            libraryFault = error
            errors.note("\(error)")
        }
    }
}
