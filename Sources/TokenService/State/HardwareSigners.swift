import FleetEngineToken
import OpenSSLCrypto
import OpenSSLSigner
import ServiceConfiguration
import SystemFiles

/// Makes the signers of one configuration whose keys are in hardware, each once.
struct HardwareSigners {
    private let keys: HardwareKeys
    private let values: Configuration
    private var made: [Identity: RS256Signer] = [:]
    /// Nil until the first key is loaded.
    private var access: HardwareKeys.Access?
    private var warning: String?

    private struct Identity: Hashable {
        let uri: PKCS11URI
        let email: String
        let keyID: String
    }

    init(_ keys: HardwareKeys, _ values: Configuration) {
        (self.keys, self.values) = (keys, values)
    }

    /// The signer of a kind with this key, tested with a probe signature.
    mutating func signer(_ uri: PKCS11URI, of kind: TokenKind) throws(ConfigurationErrors) -> RS256Signer? {
        let (own, section) = (values.kinds[kind], "kinds.\(kind.rawValue)")
        // Without them the settings have an error of their own.
        guard let email = own.email, let keyID = own.keyID, let module = values.pkcs11.module else { return nil }
        if !values.allowDefaultServiceAccounts, let account = DefaultServiceAccount(email: email) {
            throw ConfigurationErrors("\(section).email: \(ServiceAccountKey.hazard(of: account))")
        }
        let identity = Identity(uri: uri, email: email, keyID: keyID)
        if let signer = made[identity] { return signer }
        let key: HardwareKey
        do { key = try keys.key(uri, access(module)) } catch {
            throw ConfigurationErrors(sentences: [error.sentence(about: "\(section).key")], mayPass: error.mayPass)
        }
        let signer: RS256Signer
        do { signer = try RS256Signer(account: email, keyID: keyID, heldKey: key) } catch {
            throw ConfigurationErrors("\(section).key: \(error.sentence)")
        }
        made[identity] = signer
        return signer
    }

    /// Has the keys opened again by these settings from now on.
    func start() {
        if let access { keys.start(access) }
    }

    /// A warning about the PIN's file, once.
    mutating func takeWarning() -> String? {
        defer { warning = nil }
        return warning
    }

    /// The access to tokens, once the files that it needs were checked.
    private mutating func access(_ module: String) throws(HardwareKeyError) -> HardwareKeys.Access {
        if let access { return access }
        keys.beginLoading()
        try PKCS11Files.check(module: module)
        let path = values.pkcs11.pin.map(CredentialCopies.own.readable)
        if let path, try PKCS11Files.pin(path).isReadableByOthers {
            warning = "\(path): other users can read this file; expected chmod 600"
        }
        let access = HardwareKeys.Access(module: module) { () throws(HardwareKeyError) in
            try path.map { (path) throws(HardwareKeyError) in try PKCS11Files.pin(path).pin }
        }
        self.access = access
        return access
    }
}

/// The files by which tokens are reached.
private enum PKCS11Files {
    /// Throws if another user can write the module, whose code runs in this process.
    static func check(module path: String) throws(HardwareKeyError) {
        let breach: String?
        do { breach = try FileTrust.breach(ofLibrary: path) } catch { throw .module(path, error.predicate) }
        if let breach { throw .untrusted(module: path, breach) }
    }

    /// The PIN in a file, as it is now.
    static func pin(_ path: String) throws(HardwareKeyError) -> (pin: TokenPIN, isReadableByOthers: Bool) {
        let predicate: String
        do {
            let file = try TrustedFile(path: path, for: .pin)
            return (try TokenPIN(fileContent: file.content), file.isReadableByOthers)
        } catch let error as TokenPINError {
            predicate = error.predicate
        } catch {
            predicate = (error as? TrustedFileError)?.predicate ?? "\(error)"
        }
        throw .pinFile("\(CredentialCopies.own.readable(path)) \(predicate)")
    }
}
