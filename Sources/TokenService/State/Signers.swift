import FleetEngineToken
import GoogleCredentials
import OpenSSLCrypto
import OpenSSLSigner
import SeparateSigning
import ServiceConfiguration
import SystemFiles

/// A signer for each kind that is served: a key of this process or in hardware, or an account that Google signs for.
/// Each file is read once, however many kinds it serves.
package struct Signers: Sendable {
    /// The signers with a key of this process or in hardware.
    package private(set) var byKind: [TokenKind: RS256Signer] = [:]
    /// The accounts that Google signs for.
    package private(set) var remote: [TokenKind: RemoteAccount] = [:]
    /// How the credentials of each kind that is not a key in hardware were found, such as a file's path.
    package private(set) var sources: [TokenKind: String] = [:]
    package private(set) var warnings: [String] = []
    /// The signers that sign several tokens at once.
    package private(set) var batches = BatchSigners()
    /// The errors of key files, a sentence each; their kinds have no signer.
    package private(set) var errors: [String] = []
    /// Those that may pass by themselves.
    private var passingErrors: Set<String> = []
    /// Nil for an unusable file, which is not read again for another kind.
    private var byPath: [String: KindCredentials?] = [:]
    /// Nil if keys are in this process.
    private var separate: SeparateSigners?
    /// Nil for signers that were given.
    private var hardware: HardwareSigners?

    /// Loads every key of the configuration, those of files in another process if there is one, or throws all errors.
    package init(
        _ configuration: Configuration, _ hardware: HardwareKeys = HardwareKeys(), in process: SigningProcess? = nil
    ) throws(ConfigurationErrors) {
        self = KeyMemory.wiping { Signers(trying: configuration, hardware, in: process) }
        if let warning = KeyMemory.takeWarning() { warnings.append(warning) }
        try check()
    }

    /// Loads every key of the kinds that are served; `errors` names those that failed. The first time in a process it
    /// takes 0.3 s more to test the library for batches, if there is one.
    package init(
        trying values: Configuration, _ hardware: HardwareKeys = HardwareKeys(),
        in process: SigningProcess? = nil
    ) {
        self.hardware = HardwareSigners(hardware, values)
        if let process { beginLoading(values, in: process) }
        // Without the other process, no key may come into the one that clients reach.
        if errors.isEmpty {
            for kind in TokenKind.allCases { load(values.keyFile(of: kind), for: kind, values) }
        }
        byPath = [:]
        warnings += sharedAccountWarnings
        batches =
            if let separate {
                BatchSigners(separate.keys.report, for: distinct)
            } else {
                BatchSigners(values.signing.batch, for: distinct)
            }
        if let warning = batches.warning { warnings.append(warning) }
    }

    /// Loads the keys of these kinds, served or not, or throws all errors. `hardware` has the connection to the token,
    /// of which a process has one.
    package init(
        _ configuration: Configuration, of kinds: [TokenKind], _ hardware: HardwareKeys = HardwareKeys()
    ) throws(ConfigurationErrors) {
        self.hardware = HardwareSigners(hardware, configuration)
        for kind in kinds { load(configuration.namedKeyFile(of: kind), for: kind, configuration) }
        try check()
    }

    /// One signer for every kind with specific ids.
    package init(all signer: RS256Signer) {
        for kind in TokenKind.ofSpecificIDs { byKind[kind] = signer }
    }

    /// Whether the keys of key files are in a process of their own.
    package var areSeparate: Bool { separate != nil }

    /// Why that process signs nothing now; nil if it signs.
    package var separateOutage: String? { separate?.keys.outage }

    /// How often that process was started after it had ended; nil without one.
    package var separateRestarts: Int? { separate?.keys.restartCount }

    /// The key files that this process does not read.
    package func separateFiles(_ environment: [String: String]) -> [String] { separate?.keyFiles(environment) ?? [] }

    /// The account whose tokens a kind has; nil if the kind is off, and for the account of the machine.
    private func account(of kind: TokenKind) -> String? { byKind[kind]?.account ?? remote[kind]?.email }

    /// Whether the kind has a signer, here or at Google.
    package func signs(_ kind: TokenKind) -> Bool { byKind[kind] != nil || remote[kind] != nil }

    /// What signs a kind's tokens without blocking its caller; nil if the key is in this process.
    func remoteSigner(of kind: TokenKind, _ google: RemoteSigning?) -> (any RemoteTokenSigner)? {
        if let signer = byKind[kind] { return signer.inHardware }
        return google?.signers[kind]
    }

    /// Files that are not settings but are read again while these signers are in use, or by a reload: tokens of
    /// external accounts, and where a search finds credentials.
    package func laterFiles(_ values: Configuration, _ environment: [String: String]) -> [String] {
        let isSearched = sources.values.contains { !values.credentialFiles.contains($0) }
        return remote.values.flatMap { $0.access.tokenFiles(environment) }
            + (isSearched ? CredentialsSearch.places(environment) : [])
    }

    /// Has keys in hardware opened again by this configuration's settings from now on.
    package func start() { hardware?.start() }

    /// Gives up what the next signers do, too.
    package func retire(for next: Signers) {
        if let next = next.separate?.keys { separate?.keys.retire(for: next) }
    }

    /// Whether a kind's key is in hardware.
    package var useHardware: Bool { byKind.values.contains { $0.inHardware != nil } }

    /// Why a kind's key in hardware makes no signatures, and what to do about it. Has each of them try, for the next
    /// call.
    package func hardwareOutages() -> [TokenKind: ProbeFailure] {
        let failures = distinct.compactMap { signer in
            signer.inHardware?.outage().map {
                (ObjectIdentifier(signer), ProbeFailure("key \(signer.keyID): \($0.reason)", $0.remedy))
            }
        }
        let byKey = Dictionary(failures) { first, _ in first }
        return byKind.compactMapValues { byKey[ObjectIdentifier($0)] }
    }

    /// The minter of a kind's tokens, with the configured lifetime unless another is given; nil if the kind is off.
    /// Without a remote signer, it blocks for as long as hardware takes.
    package func minter(
        of kind: TokenKind, _ configuration: Configuration, lifetime: Int64? = nil,
        remotely remote: (any RemoteTokenSigner)? = nil
    ) throws(TokenPolicyError) -> TokenMinter? {
        guard signs(kind) else { return nil }
        let policy = try configuration.tokenPolicy(of: kind, lifetime: lifetime)
        if let remote { return TokenMinter(remote: remote, policy: policy) }
        return byKind[kind].map { TokenMinter(signer: batches.signer(for: $0), policy: policy) }
    }

    private mutating func load(_ path: String?, for kind: TokenKind, _ values: Configuration) {
        guard let path else { return }
        if let uri = values.kinds[kind].key { return loadHardware(uri, for: kind) }
        if loadSeparate(path, for: kind, values) { return }
        if byPath[path] == nil { byPath[path] = .some(credentials(path, values)) }
        guard let found = byPath[path] ?? nil else { return }
        sources[kind] = found.source
        if separate != nil, found.signer != nil {
            errors.append("\(found.source): changed while it was loaded; expected the same file, so try again")
            return
        }
        if let signer = found.signer, take(signer, from: found.source, for: kind, values) { return }
        do { remote[kind] = try found.remoteAccount(values.signAs(of: kind), values) } catch {
            return add(error.sentence)
        }
        warnings += remote[kind]?.warnings.filter { !warnings.contains($0) } ?? []
        if remote[kind] == nil {
            errors.append(
                "\(found.source): has no service account; expected sign_as: EMAIL, or kinds.\(kind.rawValue).sign_as")
        }
    }

    private mutating func beginLoading(_ values: Configuration, in process: SigningProcess) {
        do throws(SigningProcessError) {
            separate = try SeparateSigners(values, in: process)
            warnings += separate?.keys.report.warnings ?? []
        } catch {
            add("signing.process: \(error.sentence)", mayPass: error.mayPass)
        }
    }

    /// Whether the credentials at the path, or their error, are those of the other process.
    private mutating func loadSeparate(_ path: String, for kind: TokenKind, _ values: Configuration) -> Bool {
        do throws(SeparateSignerError) {
            guard let (signer, source) = try separate?.signer(path) else { return false }
            sources[kind] = source
            return take(signer, from: source, for: kind, values)
        } catch {
            add(error.sentence)
            return true
        }
    }

    /// Takes a key that signs for its own account, and refuses another one of a separate process. False if it is to ask
    /// Google.
    private mutating func take(
        _ signer: RS256Signer, from source: String, for kind: TokenKind, _ values: Configuration
    ) -> Bool {
        let account = values.signAs(of: kind) ?? signer.account
        if account == signer.account {
            byKind[kind] = signer
            return true
        }
        guard separate != nil || values.signing.process == .separate else { return false }
        add(
            "\(source): is a key that would ask Google to sign for \(account), which a separate process cannot; "
                + "expected signing.process: inside, or credentials without a key")
        return true
    }

    /// Adds an error that kinds may share, such as that of a file.
    private mutating func add(_ error: String, mayPass: Bool = false) {
        if !errors.contains(error) { errors.append(error) }
        if mayPass { passingErrors.insert(error) }
    }

    private mutating func loadHardware(_ uri: PKCS11URI, for kind: TokenKind) {
        do { byKind[kind] = try hardware?.signer(uri, of: kind) } catch {
            for sentence in error.sentences { add(sentence, mayPass: error.mayPass) }
        }
        if let warning = hardware?.takeWarning() { warnings.append(warning) }
    }

    /// The credentials at a path; nil on failure, which is added to `errors`.
    private mutating func credentials(_ path: String, _ values: Configuration) -> KindCredentials? {
        do throws(CredentialError) {
            let found = try KeyMemory.wiping { () throws(CredentialError) in try KindCredentials(path, values) }
            if let warning = found.warning { warnings.append(warning) }
            return found
        } catch {
            errors.append(error.sentence)
            return nil
        }
    }

    private func check() throws(ConfigurationErrors) {
        guard !errors.isEmpty else { return }
        throw ConfigurationErrors(sentences: errors, mayPass: errors.allSatisfy(passingErrors.contains))
    }

    /// Fleet Engine ignores a token's limits if its account may do everything (FleetEngineContract.md, "Kinds of
    /// tokens").
    private var sharedAccountWarnings: [String] {
        TokenKind.wildcards.compactMap { wildcard in
            guard let account = account(of: wildcard) else { return nil }
            guard let kind = TokenKind.ofSpecificIDs.first(where: { self.account(of: $0) == account }) else {
                return nil
            }
            return
                "kinds.\(wildcard.rawValue): its account \(account) signs \(kind.rawValue) tokens too, whose limits Fleet "
                + "Engine ignores if that account may do everything; expected an account for each"
        }
    }
}

extension Configuration {
    /// The audience and the times of a kind's tokens, with the configured lifetime in seconds unless another is given.
    func tokenPolicy(of kind: TokenKind, lifetime: Int64? = nil) throws(TokenPolicyError) -> TokenPolicy {
        let token = tokenSettings(of: kind)
        return try TokenPolicy(
            audience: token.audience, lifetime: lifetime ?? token.lifetime, backdate: token.backdate)
    }
}

extension Signers {
    /// Each signer once, in the order of the kinds.
    package var distinct: [RS256Signer] {
        var seen: Set<ObjectIdentifier> = []
        return TokenKind.allCases.compactMap { byKind[$0] }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// The public half of each key, once, in the order of the kinds.
    package func publicKeys() throws -> [(keyID: String, publicKey: VerificationKey)] {
        var seen: Set<[String]> = []
        // Two files may hold the same key.
        let keys = try distinct.filter { seen.insert([$0.keyID, try $0.publicKeyPEM()]).inserted }
        return keys.map { ($0.keyID, $0.publicKey) }
    }

    /// The public halves of keys, by their account and id; nil if one cannot be read.
    var publicHalves: [[String]: Set<String>]? {
        guard let halves = try? distinct.map({ ([$0.account, $0.keyID], Set([try $0.publicKeyPEM()])) }) else {
            return nil
        }
        return Dictionary(halves) { $0.union($1) }
    }
}

/// A file of credentials on disk.
struct CredentialFile {
    let path: String
    /// A warning about the file's permissions.
    let warning: String?
    let content: [UInt8]

    init(path: String) throws(CredentialError) {
        let path = CredentialCopies.own.readable(path)
        self.path = path
        do throws(TrustedFileError) {
            let file = try TrustedFile(path: path, for: .secret("a service-account key"))
            content = file.content
            warning =
                file.isReadableByOthers
                ? "\(path): others can read this file and so sign as the account; expected chmod 600" : nil
        } catch {
            throw CredentialError(source: path, field: nil, problem: error.predicate)
        }
    }

    /// The file's signer, tested with a probe signature.
    func signer(allowDefaultServiceAccounts: Bool) throws(CredentialError) -> RS256Signer {
        try ServiceAccountKey.load(
            json: content, source: path, allowDefaultServiceAccounts: allowDefaultServiceAccounts)
    }
}
