import COpenSSL
import CPKCS11

/// An initialised PKCS #11 module, with OpenSSL's way to the keys of its tokens. A process has one at a time.
///
/// It looks for a key itself before OpenSSL opens it. The engine takes the last of several keys, says only on standard
/// error whether token or key is missing, and waits for ever if the token opens no session. It also tries a PIN, or
/// asks the terminal for one, and counts no tries.
///
/// `@unchecked Sendable`: only its owner's queue uses it; other threads at most release the last reference.
package final class TokenConnection: @unchecked Sendable {
    private let module: PKCS11Module
    /// Nil only in `deinit`, to end it before the module.
    private var keys: OpenSSLTokenKeys?
    private let closed: @Sendable () -> Void

    /// Initialises the module. `closed` is called when that has ended, which waits for the connection's last key.
    package init(_ module: PKCS11Module, closed: @escaping @Sendable () -> Void = {}) throws(HardwareKeyError) {
        var arguments = CK_C_INITIALIZE_ARGS()
        arguments.flags = CKF_OS_LOCKING_OK
        try module.call("C_Initialize", \.C_Initialize) { $0(&arguments) }
        (self.module, self.closed) = (module, closed)
        keys = try OpenSSLTokenKeys(module)
    }

    /// A key that was found on a token.
    private struct FoundKey {
        let modulus: [UInt8]
        /// The URI with all that token and key say about themselves.
        let uri: PKCS11URI
    }

    /// The modulus of the private key that the URI means, the most significant byte first, without leading zeros. Logs
    /// in to the token, unless that was done before.
    package func modulus(of uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> [UInt8] {
        try find(uri, pin).modulus
    }

    /// The private key that the URI means.
    package func key(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> RSAPrivateKey {
        try open(find(uri, pin))
    }

    /// What tells the token that the URI means from others: label and serial.
    package func token(of uri: PKCS11URI) throws(HardwareKeyError) -> [[UInt8]] { try present(uri).identity }

    private func present(_ uri: PKCS11URI) throws(HardwareKeyError) -> PresentToken {
        let present = try PresentToken.all(of: module)
        let tokens = present.filter { $0.fits(uri) }
        guard let token = tokens.first else { throw .noToken(present: present.map(\.name)) }
        guard tokens.count == 1 else { throw .severalTokens(tokens.count) }
        return token
    }

    private func logIn(_ pin: TokenPIN?, _ session: TokenSession, to token: PresentToken) throws(HardwareKeyError) {
        guard let pin else { throw .noPIN(token: token.name) }
        let digest = self.digest.flatMap(pin.digest)
        // The token would accept any PIN now.
        if let known = accepted[token.slot] {
            guard known == digest else { throw .otherPIN(token: token.name) }
            return
        }
        try token.checkTries(insteadOfRefused: pin.isInsteadOfRefused)
        try session.logIn(pin, to: token)
        pending = digest.map { (token.slot, $0) }
    }

    private func find(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> FoundKey {
        let token = try present(uri)
        let session = try TokenSession(module, token)
        if token.wantsPIN { try logIn(pin, session, to: token) }
        let objects = try session.objects(CKO_PRIVATE_KEY, uri)
        guard let object = objects.first else {
            let hasPublicKey = try !session.objects(CKO_PUBLIC_KEY, uri).isEmpty
            throw .noKey(token: token.name, hasPublicKey: hasPublicKey)
        }
        guard objects.count == 1 else { throw .severalKeys(token: token.name, objects.count) }
        let found = try Self.examined(object, session, token)
        // A session remains, so that the process stays logged in, until OpenSSL has its own.
        if kept[token.slot] == nil { kept[token.slot] = session }
        if let pending { accepted[pending.slot] = pending.digest }
        return found
    }

    /// The sessions that keep the process logged in, by slot.
    private var kept: [UInt: TokenSession] = [:]
    /// Digests of the PINs with which the kept sessions were logged in, by slot.
    private var accepted: [UInt: String] = [:]
    private var pending: (slot: UInt, digest: String)?
    private let digest = try? KeyedDigest.random()

    /// Checks what the token says about the key; OpenSSL would notice some of it only when it signs.
    private static func examined(
        _ object: UInt, _ session: TokenSession, _ token: PresentToken
    ) throws(HardwareKeyError) -> FoundKey {
        let type = session.attribute(CKA_KEY_TYPE, of: object).map(number)
        guard type == CKK_RSA else {
            throw .unusable(KeyError.notRSA(algorithm: type == CKK_EC ? "EC" : "other").sentence)
        }
        guard session.attribute(CKA_ALWAYS_AUTHENTICATE, of: object) != [1] else { throw .asksForPIN }
        let modulus = Array((session.attribute(CKA_MODULUS, of: object) ?? []).drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard bits >= RSAPrivateKey.minBits else { throw .unusable(KeyError.tooShort(bits: bits).sentence) }
        var attributes = token.attributes
        attributes[.object] = session.attribute(CKA_LABEL, of: object)
        attributes[.id] = session.attribute(CKA_ID, of: object)
        attributes[.type] = Array("private".utf8)
        return FoundKey(modulus: modulus, uri: PKCS11URI(attributes))
    }

    private static func number(_ bytes: [UInt8]) -> UInt {
        bytes.count == MemoryLayout<UInt>.size ? bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt.self) } : .max
    }

    private func open(_ found: FoundKey) throws(HardwareKeyError) -> RSAPrivateKey {
        guard let pointer = keys?.key(found.uri.text) else {
            throw .unusable(OpenSSLErrorQueue.failure(to: "open the key").sentence)
        }
        do {
            let key = try RSAPrivateKey(takingOwnershipOf: pointer, in: self)
            guard try key.publicKey().modulus() == found.modulus else { throw HardwareKeyError.otherKey }
            return key
        } catch {
            // The description of each of these errors is its sentence.
            throw error as? HardwareKeyError ?? .unusable("\(error)")
        }
    }

    deinit {
        ProcessEnd.whileRunning { close() }
        closed()
    }

    private func close() {
        kept = [:]
        keys = nil
        // The engine and the provider have done it already; then this fails, and does nothing.
        _ = module.code(\.C_Finalize) { $0(nil) }
    }
}
