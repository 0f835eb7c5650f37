import TestSupport
import FleetEngineToken

/// A remote signer that holds what it is asked to sign until a test answers.
final class HeldRemoteSigner: RemoteTokenSigner {
    typealias Completion = @Sendable (Result<[UInt8], RemoteSigningError>) -> Void

    struct Call: Sendable {
        let claims: [UInt8]
        let urgency: SigningUrgency
        let completion: Completion
    }

    private struct State {
        var pending: [Call] = []
        var urgencies: [SigningUrgency] = []
        var immediate: Result<[UInt8], RemoteSigningError>?
    }

    static let jws = Array("aGVhZGVy.Y2xhaW1z.c2lnbmF0dXJl".utf8)

    let account = "rider@some-project.iam.gserviceaccount.com"
    private let state = Locked(State())

    /// The urgencies of all calls, oldest first.
    var urgencies: [SigningUrgency] { state.withLock { $0.urgencies } }
    var pending: Int { state.withLock { $0.pending.count } }

    /// Answers each call at once; nil holds them again.
    func answerAtOnce(_ result: Result<[UInt8], RemoteSigningError>?) { state.withLock { $0.immediate = result } }

    func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8] {
        try await withUnsafeContinuation { continuation in
            let immediate = state.withLock { state in
                state.urgencies.append(urgency)
                if state.immediate == nil {
                    let call = Call(claims: claims, urgency: urgency) { continuation.resume(returning: $0) }
                    state.pending.append(call)
                }
                return state.immediate
            }
            if let immediate { continuation.resume(returning: immediate) }
        }.get()
    }

    /// Takes the oldest call that is held.
    func take() -> Call? { state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() } }

    /// Answers all calls that are held now; returns how many.
    @discardableResult
    func answer(_ result: Result<[UInt8], RemoteSigningError> = .success(jws)) -> Int {
        let calls = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        for call in calls { call.completion(result) }
        return calls.count
    }
}
