import CallerAccess
import HTTPClient
import HTTPServer
import Logging
import ServiceConfiguration
import SystemFiles

/// The caller gate of a configuration, and what it needs: its files are read, and the fetching of keys is prepared, which
/// `start` begins and `retire` ends.
package struct CallerSetup: Sendable {
    package let gate: CallerGate
    package let issuers: IssuerSetup?
    /// Nil if no file of API keys is configured.
    package let apiKeys: APIKeyTable?
    /// How requests to other services leave.
    package let egress: Egress
    /// Settings that are allowed but unwise, a sentence each.
    package let warnings: [String]

    /// Throws all errors of the files, a sentence each. Keys of unchanged issuers are taken from the previous setup, which
    /// cannot be followed by one without authentication.
    package init(_ values: Configuration, after previous: CallerSetup? = nil, logger: Logger)
        throws(ConfigurationErrors)
    {
        var errors = ConfigurationErrors(sentences: [])
        let apiKeys = errors.noting { () throws(ConfigurationErrors) in try APIKeyTable(values) } ?? nil
        let egress = errors.noting { () throws(ConfigurationErrors) in try values.outgoing.egress() } ?? Egress()
        let issuers =
            errors.noting { () throws(ConfigurationErrors) in
                values.issuers.isEmpty
                    ? nil
                    : try IssuerSetup(values, by: egress, after: previous?.issuers, logger: logger)
            } ?? nil
        let policy = errors.noting { () throws(ConfigurationErrors) in
            do throws(AccessRuleError) { return try AccessPolicy(rules: values.rules) } catch {
                throw ConfigurationErrors("rules: \(error.sentence)")
            }
        }
        let forwardAuth =
            errors.noting { () throws(ConfigurationErrors) in
                try ForwardAuth(values, by: egress, logger: logger)
            } ?? nil
        if previous?.gate.isOpen == false, values.callers == .unauthenticated {
            errors.note("callers: none disables authentication, which only a restart can do")
        }
        guard errors.sentences.isEmpty, let policy else { throw errors }
        (self.issuers, self.apiKeys, self.egress) = (issuers, apiKeys, egress)
        let keyWarnings = apiKeys?.warnings(values, at: ServerTime.now().epochSeconds) ?? []
        warnings = keyWarnings + (issuers?.fileWarnings ?? [])
        let authenticators = Authenticators(
            verifier: issuers?.verifier, feeds: issuers?.feeds ?? [:], apiKeys: apiKeys,
            fields: CredentialFields(values),
            unnamed: UnnamedCallerWarning(values.issuers.map(\.policy), logger: logger))
        gate = CallerGate(
            authenticators: values.callers == .unauthenticated ? nil : authenticators, policy: policy,
            forwardAuth: forwardAuth)
    }

    /// What is wrong with the files of a configuration that has other errors too, a sentence each.
    package static func fileErrors(_ values: Configuration, areRulesKnown: Bool) -> [String] {
        var errors = ConfigurationErrors(sentences: [])
        _ = errors.noting { () throws(ConfigurationErrors) in
            try APIKeyTable(values, areRulesKnown: areRulesKnown)
        }
        _ = errors.noting { () throws(ConfigurationErrors) in try values.outgoing.egress() }
        _ = errors.noting { () throws(ConfigurationErrors) in try IssuerSetup.fileKeys(of: values.issuers) }
        return errors.sentences
    }

    /// Starts fetching keys.
    package func start() { issuers?.start() }

    /// Starts fetching keys, and blocks until each issuer that the previous setup lacks has some; throws if one has none.
    package func start(after previous: CallerSetup) throws(ConfigurationErrors) {
        start()
        try issuers?.waitForKeys(besides: previous.issuers)
    }

    /// Fetches the keys again of the issuers that the previous setup had too. Nothing waits for that: an unreachable provider
    /// must not delay a change of rules.
    package func fetchKeysAgain(of previous: CallerSetup) {
        for (issuer, feed) in issuers?.feeds ?? [:] where previous.issuers?.feeds[issuer] === feed { feed.fetchAgain() }
    }

    /// Logs which issuers' keys in files came and went since the previous setup.
    package func logKeys(after previous: CallerSetup, to logger: Logger) {
        issuers?.logKeys(after: previous.issuers, to: logger)
    }

    /// Ends all fetching that the next setup does not continue.
    package func retire(for next: CallerSetup?) { issuers?.retire(for: next?.issuers) }
}

extension APIKeyTable {
    /// The keys of the configured file; nil if none is configured. A rule must not name a missing key, nor a key a missing
    /// rule.
    fileprivate init?(_ values: Configuration, areRulesKnown: Bool = true) throws(ConfigurationErrors) {
        guard let path = values.apiKeys.file.map(CredentialCopies.own.readable) else { return nil }
        let text = try CallerFile.read(path)
        do { try self.init(parsing: text) } catch {
            throw ConfigurationErrors(sentences: Self.sentences(error.errors, of: path))
        }
        guard areRulesKnown else { return }
        let rules = values.places.texts(of: "name", in: "rules")?.compactMap(\.self) ?? values.rules.map(\.name)
        let sentences = unknownKeys(values, in: path) + unknownRules(besides: rules, in: path)
        guard sentences.isEmpty else { throw ConfigurationErrors(sentences: sentences) }
    }

    /// What is wrong with rules that name keys which are not in the file.
    private func unknownKeys(_ values: Configuration, in path: String) -> [String] {
        values.rules.enumerated().flatMap { index, rule in
            rule.callers.compactMap { caller -> String? in
                guard case .apiKey(let name) = caller, !names.contains(name) else { return nil }
                let isPasted = PastedSecret.resembles(name)
                let shown = isPasted ? "by itself, not by its name" : "\(name), which is not in \(path)"
                let advice = EditDistance.question(about: name, in: names) ?? "expected the name of a key in that file"
                return values.places.heading(of: values.places.element("rules", index, "api_keys"))
                    + "the rule \(rule.name) names the API key \(shown); \(advice)"
            }
        }
    }

    /// Warnings about the configured file.
    fileprivate func warnings(_ values: Configuration, at now: Int64) -> [String] {
        guard let path = values.apiKeys.file.map(CredentialCopies.own.readable), !hasValidKey(at: now) else {
            return []
        }
        return ["api_keys.file: \(path) has no key that is valid now, so none is accepted"]
    }

    /// The errors of keys that are restricted to rules other than these.
    private func unknownRules(besides rules: [String], in path: String) -> [String] {
        let known = Set(rules)
        let unknown = restrictions.filter { !known.contains($0.rule) }
        let listed = unknown.prefix(Self.maxListed).map { restriction in
            let advice = EditDistance.question(about: restriction.rule, in: rules) ?? "expected the name of a rule"
            return "\(path): line \(restriction.line): the key \(restriction.key) is restricted to the rule "
                + "\(restriction.rule), which is not in rules; \(advice)"
        }
        let rest = unknown.count - listed.count
        return rest == 0 ? listed : listed + ["\(path): \(rest) more such names"]
    }

    /// Cut, because a file of another type may have an error on every line.
    private static func sentences(_ errors: [APIKeyFileError], of path: String) -> [String] {
        let listed = errors.prefix(maxListed).map { "\(path): \($0.sentence)" }
        let rest = errors.count - listed.count
        return rest == 0 ? listed : listed + ["\(path): \(rest) more lines are wrong"]
    }

    private static let maxListed = 100
}

/// A file that decides which callers are allowed.
package enum CallerFile {
    /// The file's bytes; throws if it cannot be read or others can write it.
    package static func read(_ path: String) throws(ConfigurationErrors) -> [UInt8] {
        do { return try TrustedFile(path: path, for: .callers).content } catch {
            throw ConfigurationErrors("\(CredentialCopies.own.readable(path)): \(error.predicate)")
        }
    }
}
