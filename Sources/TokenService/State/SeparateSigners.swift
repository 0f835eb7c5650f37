import FleetEngineToken
import Glibc
import GoogleCredentials
import OpenSSLCrypto
import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration
import SystemFiles

/// The signers of one configuration whose keys are in a process of their own.
struct SeparateSigners: Sendable {
    let keys: SeparateKeys
    /// Those of the terms.
    private let credentials: [String]
    private var made: [Int: RS256Signer] = [:]

    /// Has a new process load the key files that the configuration names; nil if it names none.
    init?(_ values: Configuration, in process: SigningProcess) throws(SigningProcessError) {
        let terms = KeyTerms(values)
        guard !terms.keys.isEmpty else { return nil }
        let changed = terms.excess(over: process.terms)
        guard changed.isEmpty else {
            let settings = changed.joined(separator: ", ")
            throw SigningProcessError(
                sentence: "the signing process keeps \(settings) from the start; restart to apply the change")
        }
        credentials = process.terms.keys.map(\.credentials)
        let used = terms.keys.compactMap { [credentials] key in credentials.firstIndex(of: key.credentials) }
        keys = try SeparateKeys(used, by: process)
    }

    /// The key files' paths, and of what was searched for all where it may be found, with the originals of systemd's copies.
    func keyFiles(_ environment: [String: String]) -> [String] {
        zip(credentials, keys.report.entries).flatMap { path, entry -> [String] in
            guard case .key(let key) = entry else { return [] }
            return KeyLoading.files(of: path, environment, isSearched: key.source != path)
        }
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

/// The other side: what a process with keys loads.
package enum KeyLoading {
    /// Where the credentials may be, now or after a reload, with the originals of systemd's copies.
    package static func files(
        of credentials: String, _ environment: [String: String], isSearched: Bool = true
    ) -> [String] {
        let copies = CredentialCopies(environment)
        let named = credentials == Configuration.applicationDefault ? [] : [credentials]
        let paths = named + (isSearched ? CredentialsSearch.places(environment) : [])
        return paths.flatMap { [$0] + [copies.original(of: $0)].compactMap(\.self) }
    }

    /// The signers have the places of the credentials in the terms. Without `tellsErrors`, failures have no words of their own.
    package static func load(
        _ terms: KeyTerms, tellsErrors: Bool
    ) -> (report: KeyReport, signers: [(any TokenSigner)?]) {
        KeyMemory.wiping {
            let values = Configuration(terms)
            var report = KeyReport()
            let signers = terms.keys.map { load($0.credentials, values, tellsErrors, into: &report) }
            let batches = BatchSigners(values.signing.batch, for: signers.compactMap(\.self))
            if let warning = batches.warning { report.warnings.append(warning) }
            if let warning = KeyMemory.takeWarning() { report.warnings.append(warning) }
            (report.sentence, report.signsBatches) = (batches.sentence, batches.areUsed)
            return (report, signers.map { signer in signer.map(batches.signer(for:)) })
        }
    }

    private static func load(
        _ path: String, _ values: Configuration, _ tellsErrors: Bool, into report: inout KeyReport
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
            let path = CredentialCopies.own.readable(path)
            let sentence = (error as? CredentialError)?.sentence ?? "\(path): \(error)"
            report.entries.append(.failure(tellsErrors ? sentence : "\(path): \(Self.failure(of: path).rawValue)"))
            return nil
        }
    }

    private static func failure(of path: String) -> KeyReport.Failure {
        access(path, F_OK) != 0 && errno == ENOENT ? .missing : .unusable
    }
}

extension Configuration {
    /// Credentials of served kinds that may have keys, each once, with the tokens of their kinds.
    fileprivate var separateKeys: [KeyTerms.Key] {
        let named = TokenKind.allCases.filter { kinds[$0].key == nil }.compactMap { kind in
            keyFile(of: kind).map { (path: $0, kind: kind) }
        }
        var seen: Set<String> = []
        return named.filter { seen.insert($0.path).inserted }.map { path, _ in
            KeyTerms.Key(
                credentials: path,
                tokens: named.filter { $0.path == path }.map { _, kind in
                    let settings = tokenSettings(of: kind)
                    return KeyTerms.Tokens(kind, audience: settings.audience, lifetime: settings.lifetime)
                })
        }
    }

    /// Only what decides how keys are loaded.
    fileprivate init(_ terms: KeyTerms) {
        self.init()
        allowDefaultServiceAccounts = terms.allowsDefaultServiceAccounts
        credentialsAllowedHosts = terms.allowedHosts
        google.universeDomain = terms.universeDomain
        signing.batch = Configuration.Batch(terms.batch)
    }
}

extension KeyTerms {
    package init(_ values: Configuration) {
        self.init(
            keys: values.separateKeys, universeDomain: values.google.universeDomain,
            batch: values.signing.batch.description, isConfined: values.sandbox == .auto)
        allowedHosts = values.credentialsAllowedHosts
        allowsDefaultServiceAccounts = values.allowDefaultServiceAccounts
    }
}
