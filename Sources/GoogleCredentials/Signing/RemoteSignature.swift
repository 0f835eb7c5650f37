import Concurrency
import FleetEngineToken
import HTTPClient
import OpenSSLCrypto

/// One signature from its admission to its completion: access token, call, checks, and again where that is safe.
final class RemoteSignature: Sendable {
    typealias Completion = @Sendable (Result<[UInt8], RemoteSigningError>) -> Void

    /// What is waited for.
    private enum Step: String {
        case accessToken = "an access token"
        case answer = "an answer"
        case publishedKeys = "the account's published keys"
    }

    private struct State {
        var schedule: RetrySchedule
        var step = Step.accessToken
        /// The access token that Google refused; a cached one must be another.
        var refused: Secret?
        var lastError: RemoteSigningError?
        var hasTimer = false
        /// Nil once it was called.
        var completion: Completion?
    }

    private let signer: RemoteSigner
    private let claims: [UInt8]
    private let body: [UInt8]
    private let urgency: SigningUrgency
    private let state: Guarded<State>

    init(signer: RemoteSigner, claims: [UInt8], urgency: SigningUrgency, completion: @escaping Completion) {
        (self.signer, self.claims, self.urgency) = (signer, claims, urgency)
        body = signer.call.body(claims)
        state = Guarded(
            State(schedule: RetrySchedule(urgency, at: signer.clock.monotonic()), completion: completion))
    }

    /// Begins the first try or another one.
    func attempt() {
        begin(.accessToken)
        signer.tokens.token { [self] result in
            switch result {
            case .failure(let error): finish(.failure(error))
            case .success(let (token, _)):
                guard takesRefused(token) else { return call(token) }
                // Others may have had it replaced already; then this call does not come here.
                signer.tokens.reject()
                attempt()
            }
        }
        limitWait(for: .accessToken)
    }

    private func begin(_ step: Step) { state.withLock { $0.step = step } }

    /// Whether this is the token that Google refused; true at most once for each refusal.
    private func takesRefused(_ token: Secret) -> Bool {
        state.withLock { state in
            defer { state.refused = nil }
            return state.refused?.value == token.value
        }
    }

    private func call(_ token: Secret) {
        begin(.answer)
        let now = signer.clock.monotonic()
        guard let limit = state.withLock({ $0.schedule.begin(at: now) }) else { return deadlinePassed() }
        let (request, permit): (HTTPClientRequest, CircuitBreaker.Permit)
        do throws(RemoteSigningError) {
            request = try signer.call.request(body, token, limit: limit)
            permit = try signer.governor.admit(urgency, for: signer.account, at: now)
        } catch {
            return refused(error)
        }
        signer.send(request) { [self] result in
            let answer = Result { () throws(SigningFault) in try read(result, token) }
            ended(permit, answer)
            switch answer {
            case .success(let jwt): verify(jwt)
            case .failure(let fault): failed(fault, token)
            }
        }
    }

    private func read(
        _ result: Result<HTTPClientResponse, HTTPClientError>, _ token: Secret
    ) throws(SigningFault) -> SignedJWT {
        switch result {
        case .failure(let error): throw SigningFault(error)
        case .success(let response) where response.status == 200:
            do throws(SignedJWTError) {
                return try SignedJWT(response, asked: claims, signer.checkedHeader)
            } catch {
                throw SigningFault(error, signer.call)
            }
        case .success(let response):
            throw SigningFault(response, signer.call, token, at: signer.clock.epochSeconds())
        }
    }

    private func ended(_ permit: CircuitBreaker.Permit, _ answer: Result<SignedJWT, SigningFault>) {
        let now = signer.clock.monotonic()
        switch answer {
        case .success: signer.governor.ended(permit, .success, for: signer.account, at: now)
        case .failure(let fault):
            signer.governor.ended(permit, fault.outcome, fault.error, for: signer.account, at: now)
            if fault.isQuota {
                signer.governor.exhausted(for: fault.retryAfter ?? .seconds(SigningFault.quotaPause), at: now)
            }
        }
    }

    private func verify(_ jwt: SignedJWT) {
        guard let key = signer.keys.knownKey(jwt.keyID) else { return awaitKey(of: jwt) }
        finish(verified(jwt, by: key))
    }

    private func verified(_ jwt: SignedJWT, by key: VerificationKey) -> Result<[UInt8], RemoteSigningError> {
        jwt.isSigned(by: key) ? .success(jwt.jwt) : .failure(SigningFault(.badSignature, signer.call).error)
    }

    private func awaitKey(of jwt: SignedJWT) {
        begin(.publishedKeys)
        signer.keys.key(jwt.keyID) { [self] result in finish(result.flatMap { key in verified(jwt, by: key) }) }
        limitWait(for: .publishedKeys)
    }

    private func failed(_ fault: SigningFault, _ token: Secret) {
        let (now, random) = (signer.clock.monotonic(), signer.clock.random())
        let pause = state.withLock { state in
            state.lastError = fault.error
            if fault.failure == .tokenRejected { state.refused = token }
            return state.schedule.pause(after: fault.failure, at: now, random: random)
        }
        switch pause {
        case nil: explain(fault)
        case .zero?: attempt()
        case let pause?: signer.clock.after(pause) { [self] in attempt() }
        }
    }

    /// Finishes with the fault. Only the published keys tell a missing account from a missing role.
    private func explain(_ fault: SigningFault) {
        guard fault.mayMeanMissingAccount else { return finish(.failure(fault.error)) }
        begin(.publishedKeys)
        signer.keys.existence { [self] existence in
            guard existence == .isMissing else { return finish(.failure(fault.error)) }
            let reason = SigningRefusal.missingAccount(signer.call.account, "(it has no published keys)")
            let remedy = Remedy.missingAccount(signer.call.account.email)
            finish(.failure(RemoteSigningError(reason: reason, retryAfter: nil, remedy)))
        }
        limitWait(for: .publishedKeys)
    }

    /// A try was not allowed: why the previous one failed tells more, if there was one.
    private func refused(_ refusal: RemoteSigningError) {
        let told = state.withLock { $0.lastError } ?? refusal
        finish(
            .failure(
                RemoteSigningError(
                    reason: told.reason, retryAfter: refusal.retryAfter, told.remedy, isOurLimit: told.isOurLimit)))
    }

    /// Sets a timer for what has no time limit of its own, unless it has already ended.
    private func limitWait(for step: Step) {
        let now = signer.clock.monotonic()
        let remaining = state.withLock { state -> Duration? in
            guard state.step == step, state.completion != nil, !state.hasTimer else { return nil }
            state.hasTimer = true
            return state.schedule.remaining(at: now)
        }
        guard let remaining else { return }
        // Keeps this object: the completion is called even if no other reference is left.
        signer.clock.after(remaining) { [self] in deadlinePassed() }
    }

    private func deadlinePassed() {
        let (step, lastError) = state.withLock { ($0.step, $0.lastError) }
        let waited = "no signature within \(urgency.deadline.wholeSeconds) s: waiting for \(step.rawValue)"
        finish(.failure(lastError ?? RemoteSigningError(reason: waited, retryAfter: 1, .awaitSignatures)))
    }

    /// Calls the completion, the first time only.
    private func finish(_ result: Result<[UInt8], RemoteSigningError>) {
        let completion = state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
        completion?(result)
    }
}
