import CallerAccess
import HTTPServer
import Logging
import ServiceConfiguration

/// What decides about callers, made out of a configuration: the files it names are read, and the fetching of keys is
/// prepared. It decides nothing before it is activated.
package struct CallerSetup: Sendable {
    /// What decides.
    package let tables: CallerTables
    package let issuers: IssuerSetup?
    /// Nil if no file of API keys is configured.
    package let apiKeys: APIKeyTable?
    /// What is allowed but unwise, a sentence each.
    package let warnings: [String]

    /// Throws all that is wrong with the files, a sentence each. What a former setup knows of the same issuers is kept.
    package init(_ values: ConfigurationValues, after former: CallerSetup? = nil, logger: Logger)
        throws(ConfigurationErrors)
    {
        var errors = ConfigurationErrors(sentences: [])
        let apiKeys = errors.noting { () throws(ConfigurationErrors) in try APIKeyTable(values) } ?? nil
        let issuers =
            errors.noting { () throws(ConfigurationErrors) in
                values.issuers.isEmpty ? nil : try IssuerSetup(values, after: former?.issuers, logger: logger)
            } ?? nil
        let policy = errors.noting { () throws(ConfigurationErrors) in
            try ConfigurationErrors.wrapping("rules") { () throws(AccessRuleError) in
                try AccessPolicy(rules: values.rules)
            } sentence: {
                $0.sentence
            }
        }
        let forwardAuth =
            errors.noting { () throws(ConfigurationErrors) in try ForwardAuth(values, logger: logger) } ?? nil
        guard errors.sentences.isEmpty, let policy else { throw errors }
        (self.issuers, self.apiKeys) = (issuers, apiKeys)
        warnings = apiKeys?.warnings(values, at: ServerTime.now().epochSeconds) ?? []
        let authenticators = Authenticators(
            verifier: issuers?.verifier, feeds: issuers?.feeds ?? [:], apiKeys: apiKeys,
            keyField: values.apiKeys.header.map { Array($0.lowercased().utf8) },
            nameless: NamelessCallers(values.issuers.map(\.policy), logger: logger))
        tables = CallerTables(
            authenticators: values.callers == .unauthenticated ? nil : authenticators, policy: policy,
            forwardAuth: forwardAuth)
    }

    /// What is wrong with the files of a configuration that has other errors too, a sentence each.
    package static func fileErrors(_ values: ConfigurationValues, areRulesKnown: Bool) -> [String] {
        var errors = ConfigurationErrors(sentences: [])
        _ = errors.noting { () throws(ConfigurationErrors) in
            try APIKeyTable(values, areRulesKnown: areRulesKnown)
        }
        _ = errors.noting { () throws(ConfigurationErrors) in try IssuerSetup.fileKeys(of: values.issuers) }
        return errors.sentences
    }

    /// Begins to fetch.
    package func activate() { issuers?.startFeeds() }
}

extension APIKeyTable {
    /// The keys of the configured file; nil if there is none. A rule must not name a key, nor a key a rule, that is not
    /// there.
    fileprivate init?(_ values: ConfigurationValues, areRulesKnown: Bool = true) throws(ConfigurationErrors) {
        guard let path = values.apiKeys.file else { return nil }
        let text = try CallerFile.read(path)
        do throws(APIKeyFileErrors) {
            try self.init(parsing: text)
        } catch {
            throw ConfigurationErrors(sentences: Self.sentences(error.errors, of: path))
        }
        guard areRulesKnown else { return }
        let rules = values.places.texts(of: "name", in: "rules")?.compactMap(\.self) ?? values.rules.map(\.name)
        let sentences = unknownKeys(values, in: path) + unknownRules(besides: rules, in: path)
        guard sentences.isEmpty else { throw ConfigurationErrors(sentences: sentences) }
    }

    /// What is wrong with rules that name keys which are not in the file.
    private func unknownKeys(_ values: ConfigurationValues, in path: String) -> [String] {
        values.rules.enumerated().flatMap { index, rule in
            rule.callers.compactMap { caller -> String? in
                guard case .apiKey(let name) = caller, !names.contains(name) else { return nil }
                let advice = EditDistance.question(about: name, in: names) ?? "expected the name of a key in that file"
                return values.places.heading(of: values.places.element("rules", index, "api_keys"))
                    + "the rule \(rule.name) names the API key \(name), which is not in \(path); \(advice)"
            }
        }
    }

    /// What is unwise about the keys of the configured file.
    fileprivate func warnings(_ values: ConfigurationValues, at now: Int64) -> [String] {
        guard let path = values.apiKeys.file, !hasValidKey(at: now) else { return [] }
        return ["api_keys.file: \(path) has no key that is valid now, so none is accepted"]
    }

    /// What is wrong with keys that are restricted to other rules than these.
    private func unknownRules(besides rules: [String], in path: String) -> [String] {
        let known = Set(rules)
        let unknown = restrictions.filter { !known.contains($0.rule) }
        let told = unknown.prefix(Self.mostTold).map { restriction in
            let advice = EditDistance.question(about: restriction.rule, in: rules) ?? "expected the name of a rule"
            return "\(path): line \(restriction.line): the key \(restriction.key) is restricted to the rule "
                + "\(restriction.rule), which is not in rules; \(advice)"
        }
        let rest = unknown.count - told.count
        return rest == 0 ? told : told + ["\(path): \(rest) more such names"]
    }

    /// Some other file that was taken for one of keys is wrong in each of its lines.
    private static func sentences(_ errors: [APIKeyFileError], of path: String) -> [String] {
        let told = errors.prefix(mostTold).map { "\(path): \($0.sentence)" }
        let rest = errors.count - told.count
        return rest == 0 ? told : told + ["\(path): \(rest) lines more are wrong"]
    }

    private static let mostTold = 100
}
