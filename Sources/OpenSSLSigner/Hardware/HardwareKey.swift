import FleetEngineToken
import Locking
import OpenSSLCrypto

/// A private key on a token. While the token is away it makes no signatures; `HardwareKeys` opens it again.
package final class HardwareKey: Sendable {
    package let uri: PKCS11URI
    /// The public half, which stays the same.
    let publicKey: VerificationKey
    private let state: Guarded<State>
    private let owner: HardwareKeys

    private enum State {
        /// The number tells one opening from the next.
        case open(OpenedKey, number: Int)
        case lost(reason: String, openings: Int)
    }

    init(_ uri: PKCS11URI, _ opened: OpenedKey, of owner: HardwareKeys) {
        (self.uri, self.owner, publicKey) = (uri, owner, opened.publicKey)
        state = Guarded(.open(opened, number: 1))
    }

    /// The message's signature. If the token makes none, the key is opened again in the background.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        switch state.withLock({ $0 }) {
        case .lost(let reason, _): throw SigningError(reason: reason, isReported: true)
        case .open(let opened, let number):
            do throws(OpenSSLFailure) {
                return try opened.sign(message)
            } catch {
                if lose(number, because: error.sentence) { owner.recover() }
                throw SigningError(reason: error.sentence, isReported: true)
            }
        }
    }

    var isOpen: Bool {
        state.withLock { if case .open = $0 { true } else { false } }
    }

    /// Whether it makes a signature now; otherwise it is lost, without being opened again.
    func signs() -> Bool {
        guard case .open(let opened, let number) = state.withLock({ $0 }) else { return false }
        if (try? opened.sign([])) != nil { return true }
        _ = lose(number, because: "the token makes no signatures")
        return false
    }

    /// Whether the token has this key still.
    func isSame(_ modulus: [UInt8]) -> Bool { (try? publicKey.modulus()) == modulus }

    /// Signs with a new opening of the same key from now on. Throws if it is another key.
    func reopen(_ opened: OpenedKey) throws(HardwareKeyError) {
        guard let modulus = try? opened.publicKey.modulus(), isSame(modulus) else { throw .otherKey }
        state.withLock { state in
            if case .lost(_, let openings) = state { state = .open(opened, number: openings + 1) }
        }
    }

    /// Notes why it is still lost.
    func stayLost(because reason: String) {
        state.withLock { state in
            if case .lost(_, let openings) = state { state = .lost(reason: reason, openings: openings) }
        }
    }

    /// False if this opening was lost before.
    private func lose(_ number: Int, because reason: String) -> Bool {
        state.withLock { state in
            guard case .open(_, number) = state else { return false }
            state = .lost(reason: reason, openings: number)
            return true
        }
    }

    deinit { owner.release() }
}
