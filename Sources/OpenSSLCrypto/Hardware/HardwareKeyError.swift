/// Why a key in hardware cannot be used. It holds no PIN.
package struct HardwareKeyError: Error, Hashable, Sendable {
    /// The setting that is concerned.
    private enum Concern {
        case module, pin, key
    }

    private let concern: Concern
    /// What is wrong and what was expected.
    private let problem: String
    /// What the operator does about it: one sentence without a full stop.
    package let cure: String
    /// What does it in a shell; nil if no command does. Words in capital letters are to be replaced.
    package let command: String?
    /// Whether the token refused the PIN: the same one must not be tried again, since a token locks after some tries.
    package let isRefusedPIN: Bool
    /// Whether another try may succeed without a change of a setting.
    package let mayPass: Bool

    private init(
        _ concern: Concern, _ problem: String, cure: String, _ command: String? = nil, isRefusedPIN: Bool = false,
        mayPass: Bool = false
    ) {
        (self.concern, self.problem, self.isRefusedPIN) = (concern, problem, isRefusedPIN)
        (self.cure, self.command, self.mayPass) = (cure, command, mayPass)
    }

    /// A command of OpenSC's `pkcs11-tool`.
    private static func tool(_ flags: String) -> String { "pkcs11-tool --module MODULE \(flags)" }

    private static let slots = tool("--list-token-slots")
    private static let objects = tool("--login --list-objects")
    private static let reload = "token-provider reload"
    private static let restart = "systemctl restart token-provider"

    /// One sentence that names the setting; `key` is the setting of the key.
    package func sentence(about key: String) -> String {
        switch concern {
        case .module: "pkcs11.module: \(problem)"
        case .pin: "pkcs11.pin: \(problem)"
        case .key: "\(key): \(problem)"
        }
    }
}

/// The module.
extension HardwareKeyError {
    /// Others than its owner can write the file.
    package static func untrusted(module path: String, _ breach: String) -> HardwareKeyError {
        HardwareKeyError(
            .module, "\(path) \(breach)",
            cure: "let only root and the daemon's account write the module and its folders",
            "namei -l \(path)")
    }

    /// The file cannot be loaded.
    package static func module(_ path: String, _ reason: String) -> HardwareKeyError {
        HardwareKeyError(
            .module, "\(path) \(reason); expected the PKCS #11 module of the token",
            cure: "set pkcs11.module to the module that came with the token, or install that")
    }

    /// A process uses one module, since its keys share their sessions.
    package static func otherModule(than path: String) -> HardwareKeyError {
        HardwareKeyError(
            .module, "\(path) is in use; restart to use another module", cure: "restart the daemon", restart)
    }

    /// A call has lasted too long.
    package static let noAnswer = HardwareKeyError(
        .module, "a token does not answer; expected a module that reaches its tokens within seconds",
        cure: "connect the device, or the network to it; the daemon opens the key again by itself", mayPass: true)

    /// A call of an earlier connection lasts still.
    package static let stillInUse = HardwareKeyError(
        .module, "the module is still in use by a call that a token does not answer; expected an end of that call",
        cure: "connect the device again, and restart the daemon if that call does not end", restart)

    static func call(_ function: String, _ code: PKCS11Code) -> HardwareKeyError {
        HardwareKeyError(
            .module, "\(function) failed: \(code); expected a module that reaches its tokens",
            cure: "connect the device, and make its module list it; the daemon opens the key again by itself", slots,
            mayPass: true)
    }
}

/// The PIN.
extension HardwareKeyError {
    /// The file of the PIN cannot be used; the problem is its path and a predicate.
    package static func pinFile(_ problem: String) -> HardwareKeyError {
        HardwareKeyError(
            .pin, problem,
            cure: "put the PIN into the file that pkcs11.pin names, which only the daemon's account can read")
    }

    static func noPIN(token: String) -> HardwareKeyError {
        HardwareKeyError(
            .pin, "the token \(token) requires a PIN; expected the path of a file that holds it",
            cure: "write the PIN into a file, and name the file in pkcs11.pin", reload)
    }

    static func refusedPIN(token: String, _ code: PKCS11Code) -> HardwareKeyError {
        HardwareKeyError(
            .pin,
            "the token \(token) refused the PIN: \(code); expected its user PIN, in another content of the file",
            cure: "put the token's user PIN into the file that pkcs11.pin names; the daemon then tries again by itself",
            isRefusedPIN: true)
    }

    /// A wrong PIN was tried since the last right one.
    static func fewTries(token: String) -> HardwareKeyError {
        HardwareKeyError(
            .pin,
            "the token \(token) was given a wrong PIN and may lock, so none is tried; expected a login with another "
                + "program first, such as pkcs11-tool --login --test",
            cure: "log in once with the right PIN in another program, which ends the token's count of wrong ones",
            tool("--login --test"))
    }

    static func pinLocked(token: String) -> HardwareKeyError {
        HardwareKeyError(
            .pin, "the token \(token) has locked its user PIN; expected one that its officer has reset",
            cure: "have the token's security officer set a new user PIN, and put that into the file of pkcs11.pin",
            tool("--login --login-type so --init-pin"))
    }

    /// The process is logged in, so that a token would accept any PIN.
    static func otherPIN(token: String) -> HardwareKeyError {
        HardwareKeyError(
            .pin, "the PIN differs from the one that the token \(token) has accepted; expected that, or a restart",
            cure: "put the previous PIN back into the file of pkcs11.pin, or restart the daemon", restart)
    }
}

/// The key.
extension HardwareKeyError {
    static func noToken(present: [String]) -> HardwareKeyError {
        let labels = present.isEmpty ? "none" : present.joined(separator: ", ")
        return HardwareKeyError(
            .key, "no token has these attributes (present: \(labels)); expected one",
            cure: "connect the token, or correct its attributes in kinds.KIND.key", slots)
    }

    static func severalTokens(_ count: Int) -> HardwareKeyError {
        HardwareKeyError(
            .key, "\(count) tokens have these attributes; expected one, such as by its serial",
            cure: "add the serial number of one token to kinds.KIND.key", slots)
    }

    /// `hasPublicKey`: the token has the public half instead.
    static func noKey(token: String, hasPublicKey: Bool) -> HardwareKeyError {
        let found = hasPublicKey ? "only a public key" : "no private key"
        return HardwareKeyError(
            .key, "the token \(token) has \(found) with these attributes; expected a private key",
            cure: "put the private key on the token, or correct its attributes in kinds.KIND.key", objects)
    }

    static func severalKeys(token: String, _ count: Int) -> HardwareKeyError {
        HardwareKeyError(
            .key, "the token \(token) has \(count) private keys with these attributes; expected one, such as by its id",
            cure: "add the id of one key to kinds.KIND.key", objects)
    }

    /// The attribute CKA_ALWAYS_AUTHENTICATE.
    static let asksForPIN = HardwareKeyError(
        .key, "the key requires the PIN again for each signature; expected a key without CKA_ALWAYS_AUTHENTICATE",
        cure: "make another key on the token, without CKA_ALWAYS_AUTHENTICATE, and name that in kinds.KIND.key")

    static func noSignature(_ function: String, _ code: PKCS11Code) -> HardwareKeyError {
        HardwareKeyError(
            .key, "the token makes no signature, since \(function) failed: \(code); expected a key that may sign",
            cure: "connect the device, and let the key sign; the daemon opens the key again by itself", objects,
            mayPass: true)
    }

    /// The key that a running daemon uses was replaced.
    package static let otherKey = HardwareKeyError(
        .key, "the token has another key than before with these attributes; reload to use it",
        cure: "add the new key to its account at Google, set kinds.KIND.key_id to it, and reload", reload)

    /// The key is not one to sign with; the sentence says why.
    package static func unusable(_ sentence: String) -> HardwareKeyError {
        HardwareKeyError(
            .key, sentence,
            cure: "make an RSA key of at least 2048 bits that may sign, and name that in kinds.KIND.key",
            objects)
    }
}

/// What a function of a PKCS #11 module returned (section 5.1 of the standard).
struct PKCS11Code: Hashable, CustomStringConvertible {
    let value: UInt

    /// Whether the PIN was wrong or the token is locked.
    var isAboutPIN: Bool { (0xA0...0xA4).contains(value) || value == 0x102 }

    var description: String { Self.names[value] ?? "code 0x\(String(value, radix: 16))" }

    private static let names: [UInt: String] = [
        0x02: "out of memory", 0x03: "no such slot", 0x05: "general error", 0x06: "the function failed",
        0x30: "device error", 0x31: "the device has no memory left", 0x32: "the device was removed",
        0x54: "not supported", 0x60: "no such key", 0x68: "the key may not sign", 0x70: "no such mechanism",
        0x82: "no such object", 0xA0: "it is wrong", 0xA1: "it has invalid characters",
        0xA2: "its length is not possible", 0xA3: "it is expired", 0xA4: "it is locked", 0xB1: "too many sessions",
        0xB3: "no such session", 0xE0: "no token in the slot", 0xE1: "the token is not recognised",
        0x101: "no user is logged in", 0x102: "the token has no user PIN yet", 0x190: "the module is not initialised",
        0x191: "the module is still in use",
    ]
}
