import CPKCS11

/// An initialised PKCS #11 module. A process has one at a time.
///
/// `@unchecked Sendable`: only its owner's queue uses it; other threads at most release the last reference.
package final class TokenConnection: @unchecked Sendable {
    private let module: PKCS11Module
    private let closed: @Sendable () -> Void
    /// What keeps the process logged in to each token.
    private var logins: [[[UInt8]]: Login] = [:]
    private let digest = try? KeyedDigest.random()

    private struct Login {
        let session: TokenSession
        /// The digest of the PIN; nil for a token that wants none.
        let pin: String?
    }

    /// Initialises the module. `closed` is called when that has ended, which waits for the connection's last key.
    package init(_ module: PKCS11Module, closed: @escaping @Sendable () -> Void = {}) throws(HardwareKeyError) {
        var arguments = CK_C_INITIALIZE_ARGS()
        arguments.flags = CKF_OS_LOCKING_OK
        try module.call("C_Initialize", \.C_Initialize) { $0(&arguments) }
        (self.module, self.closed) = (module, closed)
    }

    /// What tells the token that the URI means from others: label and serial.
    package func token(of uri: PKCS11URI) throws(HardwareKeyError) -> [[UInt8]] { try present(uri).identity }

    /// The private key that the URI means. Logs in to the token, unless that was done before.
    package func open(_ uri: PKCS11URI, _ pin: TokenPIN?) throws(HardwareKeyError) -> OpenedKey {
        let token = try present(uri)
        let session = try TokenSession(module, token)
        let accepted = token.wantsPIN ? try logIn(pin, session, to: token) : nil
        let objects = try session.objects(CKO_PRIVATE_KEY, uri)
        let publicObject = try session.objects(CKO_PUBLIC_KEY, uri).first
        guard let object = objects.first else { throw .noKey(token: token.name, hasPublicKey: publicObject != nil) }
        guard objects.count == 1 else { throw .severalKeys(token: token.name, objects.count) }
        let publicKey = try session.publicKey(of: object, publicObject)
        if logins[token.identity] == nil { logins[token.identity] = Login(session: session, pin: accepted) }
        let key = TokenKey(object, session, self)
        return OpenedKey(publicKey: publicKey) { (message) throws(HardwareKeyError) in try key.sign(message) }
    }

    private func present(_ uri: PKCS11URI) throws(HardwareKeyError) -> PresentToken {
        let present = try PresentToken.all(of: module)
        let tokens = present.filter { $0.fits(uri) }
        guard let token = tokens.first else { throw .noToken(present: present.map(\.name)) }
        guard tokens.count == 1 else { throw .severalTokens(tokens.count) }
        return token
    }

    /// The digest of the PIN that the token has accepted, now or before.
    private func logIn(
        _ pin: TokenPIN?, _ session: TokenSession, to token: PresentToken
    ) throws(HardwareKeyError) -> String? {
        guard let pin else { throw .noPIN(token: token.name) }
        let digest = self.digest.flatMap(pin.digest)
        // The token would accept any PIN now.
        if let known = logins[token.identity] {
            guard known.pin == digest else { throw .otherPIN(token: token.name) }
            return digest
        }
        try token.checkTries(insteadOfRefused: pin.isInsteadOfRefused)
        try session.logIn(pin, to: token)
        return digest
    }

    deinit {
        ProcessEnd.whileRunning {
            logins = [:]
            _ = module.code(\.C_Finalize) { $0(nil) }
        }
        closed()
    }
}
