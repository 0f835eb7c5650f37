import FleetEngineToken
import GoogleCredentials
import OpenSSLCrypto
import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration
import SystemFiles

/// The signers of one configuration whose keys are in a process of their own.
struct SeparateSigners: Sendable {
    let keys: SeparateKeys
    private let credentials: [String]
    private var made: [Int: RS256Signer] = [:]

    /// Has a new process load the key files that the configuration names; nil if it names none.
    init?(_ values: ConfigurationValues, in process: SigningProcess) throws(SigningProcessError) {
        credentials = values.keyCredentials
        guard !credentials.isEmpty else { return nil }
        let changed = KeyTerms(values).changes(since: process.terms)
        guard changed.isEmpty else {
            let settings = changed.joined(separator: ", ")
            throw SigningProcessError(
                sentence: "keys in a process of their own keep \(settings) of the start; restart to apply")
        }
        keys = try SeparateKeys(KeyOrder(credentials), by: process)
    }

    /// The key files' paths, and of what was searched for all where it may be found, with the originals of systemd's copies.
    func keyFiles(_ environment: [String: String]) -> [String] {
        let copies = CredentialCopies(environment)
        return zip(credentials, keys.report.entries).flatMap { path, entry -> [String] in
            guard case .key(let key) = entry else { return [] }
            return key.source == path ? [path] : [path] + CredentialsSearch.places(environment)
        }.flatMap { [$0] + [copies.original(of: $0)].compactMap(\.self) }
    }

    /// The signer for these credentials, tested with a probe signature; nil if they have no key.
    mutating func signer(_ path: String) throws(SeparateSignerError) -> (RS256Signer, source: String)? {
        guard let place = credentials.firstIndex(of: path) else { return nil }
        switch keys.report.entries[place] {
        case .other: return nil
        case .failure(let sentence): throw SeparateSignerError(sentence: sentence)
        case .key(let key):
            if let signer = made[place] { return (signer, key.source) }
            do throws(KeyError) {
                guard let signer = try keys.signer(at: place) else { return nil }
                made[place] = signer
                return (signer, key.source)
            } catch {
                throw SeparateSignerError(sentence: "\(key.source): \(error.sentence)")
            }
        }
    }
}

/// Why credentials have no signer.
struct SeparateSignerError: Error {
    let sentence: String
}

/// The other side: what a process with keys loads for an order.
package enum KeyLoading {
    /// The signers have the places of the credentials in the order.
    package static func load(
        _ order: KeyOrder, _ terms: KeyTerms
    ) -> (report: KeyReport, signers: [(any TokenSigner)?]) {
        KeyMemory.wiping {
            let values = ConfigurationValues(terms)
            var report = KeyReport()
            let signers = order.credentials.map { load($0, values, into: &report) }
            let batches = BatchSigners(values.signing.batch, for: signers.compactMap(\.self))
            if let warning = batches.warning { report.warnings.append(warning) }
            if let warning = KeyMemory.takeWarning() { report.warnings.append(warning) }
            (report.sentence, report.signsBatches) = (batches.sentence, batches.areUsed)
            return (report, signers.map { signer in signer.map(batches.signer(for:)) })
        }
    }

    private static func load(
        _ path: String, _ values: ConfigurationValues, into report: inout KeyReport
    ) -> RS256Signer? {
        do {
            let found = try KeyMemory.wiping { try KindCredentials(path, values) }
            guard let signer = found.signer else {
                report.entries.append(.other)
                return nil
            }
            if let warning = found.warning { report.warnings.append(warning) }
            report.entries.append(
                .key(
                    KeyReport.Key(
                        account: signer.account, keyID: signer.keyID, publicKey: try signer.publicKeyPEM(),
                        source: found.source)))
            return signer
        } catch {
            report.entries.append(.failure((error as? CredentialError)?.sentence ?? "\(path): \(error)"))
            return nil
        }
    }
}

extension ConfigurationValues {
    /// Credentials of served kinds that may have keys, each once.
    fileprivate var keyCredentials: [String] {
        var seen: Set<String> = []
        return TokenKind.allCases.filter { kinds[$0].key == nil }.compactMap(keyFile(of:)).filter {
            seen.insert($0).inserted
        }
    }

    /// Only what decides how keys are loaded.
    fileprivate init(_ terms: KeyTerms) {
        self.init()
        allowDefaultServiceAccounts = terms.allowsDefaultServiceAccounts
        credentialsAllowedHosts = terms.allowedHosts
        google.universeDomain = terms.universeDomain
        signing.batch =
            switch terms.batch {
            case "auto": .auto
            case "off": .off
            default: .path(terms.batch)
            }
    }
}

extension KeyTerms {
    package init(_ values: ConfigurationValues) {
        let batch =
            switch values.signing.batch {
            case .auto: "auto"
            case .off: "off"
            case .path(let path): path
            }
        let kinds = TokenKind.allCases.filter { values.kinds[$0].key == nil && values.keyFile(of: $0) != nil }
        self.init(
            audiences: Set(kinds.map { values.tokenSettings(of: $0).audience }).sorted(),
            universeDomain: values.google.universeDomain, batch: batch, isConfined: values.sandbox == .auto)
        allowedHosts = values.credentialsAllowedHosts
        allowsDefaultServiceAccounts = values.allowDefaultServiceAccounts
    }

    /// The settings in which these differ from others. A change of `sandbox` is reported for the whole daemon.
    fileprivate func changes(since others: KeyTerms) -> [String] {
        [
            ("the audiences of tokens", audiences.allSatisfy(others.audiences.contains)),
            ("allow_default_service_accounts", allowsDefaultServiceAccounts == others.allowsDefaultServiceAccounts),
            ("credentials_allowed_hosts", allowedHosts == others.allowedHosts),
            ("google.universe_domain", universeDomain == others.universeDomain),
            ("signing.batch", batch == others.batch),
        ].filter { !$0.1 }.map(\.0)
    }
}
