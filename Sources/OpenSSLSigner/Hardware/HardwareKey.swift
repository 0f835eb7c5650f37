import Concurrency
import Dispatch
import FleetEngineToken
import OpenSSLCrypto

/// A private key on a token. While the token is away it makes no signatures; `HardwareKeys` opens it again.
package final class HardwareKey: HeldKey {
    package let uri: PKCS11URI
    /// The public half, which stays the same.
    package let publicKey: VerificationKey
    private let state: Guarded<State>
    private let owner: HardwareKeys

    private enum State {
        /// The number tells one opening from the next.
        case open(SigningQueue, number: Int)
        case lost(RemoteSigningError, openings: Int, previous: Previous)
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
    func sign(_ message: [UInt8], _ completion: @escaping @Sendable (Result<[UInt8], HardwareFailure>) -> Void) {
        switch state.withLock({ $0 }) {
        case .lost(let error, _, _): completion(.failure(HardwareFailure(error: error, isReported: true)))
        case .open(let opening, let number):
            opening.sign(message) { [weak self] result in
                completion(result.mapError { self?.failure($0, of: number) ?? HardwareFailure(error: .noAnswer) })
            }
        }
    }

    /// The same for a caller that may wait.
    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        let result = Awaited { sign(message, $0) }.value() ?? .failure(HardwareFailure(error: .noAnswer))
        return try result.mapError { SigningError(reason: $0.error.reason, isReported: $0.isReported) }.get()
    }

    private func failure(_ fault: SigningFault, of number: Int) -> HardwareFailure {
        switch fault {
        case .busy: HardwareFailure(error: .busyToken)
        case .noAnswer: loss(of: number, .noAnswer)
        case .refused(let error): loss(of: number, RemoteSigningError(error, about: uri))
        case .wrong: loss(of: number, .wrongSignature)
        }
    }

    private func loss(of number: Int, _ error: RemoteSigningError) -> HardwareFailure {
        if lose(number, because: error) { owner.recover() }
        return HardwareFailure(error: error, isReported: true)
    }

    /// Why it makes no signatures, and what to do about it; nil while it makes some.
    var outage: RemoteSigningError? {
        state.withLock { if case .lost(let error, _, _) = $0 { error } else { nil } }
    }

    var isOpen: Bool { outage == nil }

    /// Whether it makes a signature now.
    func signs() -> Bool { (try? sign([])) != nil }

    /// Whether the token has this key still.
    func isSame(as opened: OpenedKey) -> Bool {
        guard let (own, its) = try? (publicKey.modulus(), opened.publicKey.modulus()) else { return false }
        return own == its
    }

    /// Signs with a new opening of the same key from now on. Throws if it is another key, or makes no signature.
    func reopen(_ opening: SigningQueue) throws(HardwareKeyError) {
        guard isSame(as: opening.opened) else { throw .otherKey }
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
        _ = lose(number, because: .reconnection)
    }

    /// Notes why it is still lost.
    func stayLost(because error: RemoteSigningError) {
        state.withLock { state in
            if case .lost(_, let openings, let previous) = state {
                state = .lost(error, openings: openings, previous: previous)
            }
        }
    }

    /// False if this opening was lost before.
    private func lose(_ number: Int, because error: RemoteSigningError) -> Bool {
        state.withLock { state in
            guard case .open(let opening, number) = state else { return false }
            state = .lost(error, openings: number, previous: Previous(opening: opening))
            return true
        }
    }

    deinit { owner.release() }
}

/// Why a key in hardware made no signature.
struct HardwareFailure: Error {
    let error: RemoteSigningError
    /// Whether the loss of the key is reported on its own.
    var isReported = false
}

extension RemoteSigningError {
    fileprivate static let noAnswer = hardware(
        "the token does not answer; expected a signature within 2 s", HardwareKeyError.noAnswer.remedy)
    fileprivate static let busyToken = hardware(
        "too many signatures wait for the token; expected fewer, or a faster token",
        Remedy("have fewer tokens signed at once, or use a faster device"))
    fileprivate static let reconnection = hardware(
        "the connection to the tokens is being opened again", Remedy("wait some seconds"))
    fileprivate static let wrongSignature = hardware(
        "the token made a signature that does not verify", HardwareKeyError.noAnswer.remedy)

    /// The key cannot be opened again.
    init(_ error: HardwareKeyError, about key: PKCS11URI) {
        self = .hardware(error.sentence(about: key.text), error.remedy)
    }

    private static func hardware(_ reason: String, _ remedy: Remedy) -> RemoteSigningError {
        RemoteSigningError(reason: reason, retryAfter: 1, remedy)
    }
}

extension HardwareKeyError {
    fileprivate var remedy: Remedy { Remedy(cure, command.map { [$0] } ?? []) }
}
