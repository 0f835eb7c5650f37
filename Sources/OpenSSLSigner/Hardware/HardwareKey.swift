import Dispatch
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
        case open(SigningQueue, number: Int)
        case lost(reason: String, openings: Int, previous: Previous)
    }

    /// An opening that was lost; it lives until the token has answered its last signature.
    private struct Previous {
        weak var opening: SigningQueue?
    }

    init(_ uri: PKCS11URI, _ opening: SigningQueue, of owner: HardwareKeys) {
        (self.uri, self.owner, publicKey) = (uri, owner, opening.opened.publicKey)
        state = Guarded(.open(opening, number: 1))
    }

    /// The message's signature, on any thread or at once, within the time that one may take. If the token makes none,
    /// the key is opened again in the background.
    func sign(_ message: [UInt8], _ completion: @escaping @Sendable (Result<[UInt8], SigningError>) -> Void) {
        switch state.withLock({ $0 }) {
        case .lost(let reason, _, _): completion(.failure(SigningError(reason: reason, isReported: true)))
        case .open(let opening, let number):
            opening.sign(message) { [weak self] result in
                completion(result.mapError { self?.error($0, of: number) ?? SigningError(reason: Self.noAnswer) })
            }
        }
    }

    /// The same for a caller that may wait.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        let result = Awaited { sign(message, $0) }.value()
        return try (result ?? .failure(SigningError(reason: Self.noAnswer))).get()
    }

    private static let noAnswer = "the token does not answer; expected a signature within 2 s"

    private func error(_ fault: SigningFault, of number: Int) -> SigningError {
        switch fault {
        case .busy: SigningError(reason: "too many signatures wait for the token; expected fewer, or a faster token")
        case .noAnswer: loss(of: number, Self.noAnswer)
        case .refused(let failure): loss(of: number, failure.sentence)
        }
    }

    private func loss(of number: Int, _ reason: String) -> SigningError {
        if lose(number, because: reason) { owner.recover() }
        return SigningError(reason: reason, isReported: true)
    }

    /// Why it makes no signatures; nil while it does.
    var outage: String? {
        state.withLock { if case .lost(let reason, _, _) = $0 { reason } else { nil } }
    }

    var isOpen: Bool { outage == nil }

    /// Whether it makes a signature now.
    func signs() -> Bool { (try? sign([])) != nil }

    /// Whether the token has this key still.
    func isSame(_ modulus: [UInt8]) -> Bool { (try? publicKey.modulus()) == modulus }

    /// Signs with a new opening of the same key from now on. Throws if it is another key, or makes no signature.
    func reopen(_ opening: SigningQueue) throws(HardwareKeyError) {
        guard let modulus = try? opening.opened.publicKey.modulus(), isSame(modulus) else { throw .otherKey }
        try opening.probe()
        state.withLock { state in
            if case .lost(_, let openings, _) = state { state = .open(opening, number: openings + 1) }
        }
    }

    /// Whether its last opening still waits for the token.
    var isStuck: Bool {
        state.withLock { if case .lost(_, _, let previous) = $0 { previous.opening != nil } else { false } }
    }

    /// Makes no signatures until it is opened again; those in progress end.
    func interrupt() {
        guard case .open(_, let number) = state.withLock({ $0 }) else { return }
        _ = lose(number, because: "the connection to the tokens is being opened again")
    }

    /// Notes why it is still lost.
    func stayLost(because reason: String) {
        state.withLock { state in
            if case .lost(_, let openings, let previous) = state {
                state = .lost(reason: reason, openings: openings, previous: previous)
            }
        }
    }

    /// False if this opening was lost before.
    private func lose(_ number: Int, because reason: String) -> Bool {
        state.withLock { state in
            guard case .open(let opening, number) = state else { return false }
            state = .lost(reason: reason, openings: number, previous: Previous(opening: opening))
            return true
        }
    }

    deinit { owner.release() }
}
