import AuditLog
import Confinement
import FleetEngineToken
import HTTPServer
import Logging
import ServiceConfiguration
import SystemFiles
import TokenService

/// Everything that check reports about a configuration and its keys.
struct CheckReport {
    /// Why the daemon would not start, a sentence each: the settings first, then the files.
    private(set) var errors: [String] = []
    /// What is allowed but unwise, or not used.
    private(set) var warnings: [String] = []
    /// Issuers whose keys could not be fetched, a sentence each; the daemon would start without them and
    /// not be ready.
    private(set) var outages: [String] = []
    /// How issuers' keys were fetched, a sentence each.
    private(set) var ways: [String] = []
    /// The service and its user, if they are what it is judged by.
    let service: String?
    /// Those of the service manager that replace listeners.
    let sockets: [ListenerTakeover.Socket]
    /// Whether every error is in the way a flag is written.
    private(set) var isMisuse = false
    /// What would be served; nil if the settings themselves are wrong.
    private(set) var served: CheckedService?

    /// Loads all that serve would load, even if settings are wrong, so that all errors are reported at once, and fetches
    /// issuers' keys on demand.
    init(
        _ resolver: ConfigurationResolver, fetchingKeys isOnline: Bool = false, for view: ServiceView? = nil,
        notes: [String] = []
    ) {
        service = view?.name
        guard resolver.isWhole else {
            // What the rest of the file says is unknown.
            do { _ = try resolver.configuration() } catch { (errors, isMisuse) = (error.sentences, false) }
            sockets = []
            return
        }
        let signers = Signers(trying: resolver.values)
        let parts = ServingParts(trying: resolver)
        sockets = resolver.sockets
        do {
            let (configuration, warnings) = try resolver.configuration()
            let service = CheckedService(configuration, signers)
            self.warnings = notes + warnings + service.memory.warnings + DescriptorShortage.warnings(of: configuration)
            if configuration.sandbox == .auto { self.warnings += Sandbox.shortcomings }
            served = service
            errors = parts.errors.sentences
            tryState(LoadedConfiguration(configuration: configuration, signers: signers), parts)
        } catch {
            errors = error.sentences + parts.errors.sentences
            isMisuse = error.areAllInFlags && signers.errors.isEmpty && parts.errors.sentences.isEmpty
        }
        if isOnline {
            parts.callers?.start()
            outages = parts.callers?.issuers?.outagesAfterFetching() ?? []
            ways = parts.callers?.issuers?.ways ?? []
        }
        warnings += parts.warnings + (parts.callers?.issuers?.fetchedWarnings ?? [])
        let audit = ["audit.output", "audit.file", "audit.checkpoints"]
        if !resolver.isWrong(inAnyOf: audit) { tryAudit(resolver.values.audit, view) }
        if let unit = view?.unit { tryPlaces(resolver.values, unit) }
        errors += signers.errors
        warnings += signers.warnings
    }

    /// Makes what serve would make, unless that needs the name of the machine's account.
    private mutating func tryState(_ loaded: LoadedConfiguration, _ parts: ServingParts) {
        guard errors.isEmpty, loaded.signers.errors.isEmpty,
            loaded.signers.remote.values.allSatisfy({ $0.email != nil })
        else { return }
        do {
            _ = try ServingState(loaded, parts, logger: .silent)
        } catch {
            errors = (error as? ConfigurationErrors)?.sentences ?? ["\(error)"]
        }
    }

    private mutating func tryAudit(_ audit: Configuration.Audit, _ view: ServiceView?) {
        do throws(AuditError) {
            if audit.output == .file, let file = audit.file { try AuditFile.check(file, view) }
        } catch {
            errors.append("\(error.of(audit))")
            isMisuse = false
        }
        do throws(AuditError) {
            if case .file(let file) = audit.checkpoints { try AuditFile.check(file, view, holdsRecords: false) }
        } catch {
            errors.append("audit.checkpoints: \(error)")
            isMisuse = false
        }
    }

    /// Notes what the unit hides from the daemon or protects, whatever the permissions are.
    private mutating func tryPlaces(_ values: Configuration, _ unit: ServiceUnit) {
        let sockets = sockets.map(\.address)
        let listening = values.allListeners.map(\.address).filter { !sockets.contains($0) }
        let checkpoints: String? = if case .file(let file) = values.audit.checkpoints { file } else { nil }
        let written = ([values.audit.file, checkpoints].compactMap(\.self) + listening.compactMap(\.socketFile)).map {
            ($0, unit.obstacle(toWriting: $0))
        }
        let read = values.files.map { ($0, unit.obstacle(toReading: $0)) }
        errors += (read + written).compactMap { path, obstacle in obstacle.map { "\(path) \($0)" } }
    }
}

/// What the daemon would do.
struct CheckedService {
    /// The URLs for apps.
    let urls: [String]
    /// The URLs for operators.
    let admin: [String]
    let kinds: [CheckedKind]
    /// How tokens are signed: the predicate of a sentence.
    let signing: String
    let memory: MemoryPlan

    init(_ configuration: Configuration, _ signers: Signers) {
        urls = configuration.listeners(serving: .public).map(\.url)
        admin = configuration.listeners(serving: .admin).map(\.url)
        let isSeparate = configuration.signing.process == .separate
        signing = (isSeparate ? "in a process of their own, " : "") + signers.batches.sentence
        memory = MemoryPlan(configuration)
        kinds = TokenKind.allCases.map { CheckedKind($0, configuration, signers) }
    }
}

/// What the daemon would do with a kind.
struct CheckedKind {
    enum State: String {
        /// It is served.
        case on
        /// It is not served.
        case off
        /// Its key file cannot be used.
        case broken
    }

    let kind: TokenKind
    private(set) var state = State.on
    /// Whose tokens it has; nil for the account of the machine.
    private(set) var account: String?
    /// The key that signs; nil if Google does.
    private(set) var keyID: String?
    /// The file of the key, or what names the credentials.
    private(set) var file: String?
    /// Files that the credentials or the environment name, which are read too.
    private(set) var tokenFiles: [String] = []
    /// In seconds.
    private(set) var lifetime: Int64?
    /// What is missing; nil unless it is off.
    private(set) var absence: KindAbsence?

    init(_ kind: TokenKind, _ configuration: Configuration, _ signers: Signers) {
        self.kind = kind
        guard let file = configuration.keyFile(of: kind) else {
            (state, absence) = (.off, configuration.absence(of: kind))
            return
        }
        self.file = CredentialCopies.own.readable(file)
        lifetime = configuration.tokenSettings(of: kind).lifetime
        if let remote = signers.remote[kind] {
            (account, self.file, tokenFiles) = (remote.email, remote.source, remote.tokenFiles)
        } else if let signer = signers.byKind[kind] {
            (account, keyID) = (signer.account, signer.keyID)
        } else {
            (state, lifetime) = (.broken, nil)
        }
    }
}

extension AuditFile {
    /// The same for the service, whose folders systemd makes and gives to the daemon.
    fileprivate static func check(_ path: String, _ view: ServiceView?, holdsRecords: Bool = true) throws(AuditError) {
        let folder = String(RealPath.folder(of: path).dropLast())
        guard let view, view.unit.folders.contains(where: { folder == $0 || folder.hasPrefix("\($0)/") }) else {
            // An obstacle is reported for itself.
            if view?.unit.obstacle(toWriting: path) == nil { try check(path, holdsRecords: holdsRecords) }
            return
        }
        try view.asRoot { () throws(AuditError) in
            let isMade = view.unit.folders.contains(folder) && RealPath.existing(folder) == nil
            if !isMade { try check(path, holdsRecords: holdsRecords) }
        }
    }
}
