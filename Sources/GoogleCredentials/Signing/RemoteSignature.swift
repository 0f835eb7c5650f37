import Concurrency
import FleetEngineToken
import HTTPClient
import OpenSSLCrypto

/// One signature after its admission: access token, call, checks, and again where that is safe.
struct RemoteSignature: Sendable {
    private let signer: RemoteSigner
    private let claims: [UInt8]
    private let body: [UInt8]
    private let urgency: SigningUrgency
    private var schedule: RetrySchedule
    /// Why the last try failed.
    private var lastError: RemoteSigningError?

    init(signer: RemoteSigner, claims: [UInt8], urgency: SigningUrgency) {
        (self.signer, self.claims, self.urgency) = (signer, claims, urgency)
        body = signer.call.body(claims)
        schedule = RetrySchedule(urgency, at: signer.clock.monotonic())
    }

    /// The token, signed and verified.
    mutating func make() async throws(RemoteSigningError) -> [UInt8] {
        while true {
            let token = try await accessToken()
            switch try await call(token) {
            case .success(let jwt): return try await verified(jwt)
            case .failure(let fault):
                // Others may have had it replaced already, which this sees.
                if fault.failure == .tokenRejected { signer.tokens.reject(token) }
                try await pause(after: fault)
            }
        }
    }

    private func accessToken() async throws(RemoteSigningError) -> AccessToken {
        let tokens = signer.tokens
        if let token = tokens.current { return token }
        return try await limited("an access token", tokens.get).mapError { error in
            RemoteSigningError(
                reason: error.sentence, retryAfter: error.isTransient ? 5 : nil,
                error.failure(of: signer.credentials).remedy)
        }.get()
    }

    /// Throws if no call may be made now.
    private mutating func call(
        _ token: AccessToken
    ) async throws(RemoteSigningError) -> Result<SignedJWT, SigningFault> {
        let now = signer.clock.monotonic()
        guard let limit = schedule.begin(at: now) else { throw deadlinePassed("an answer") }
        let (request, permit): (HTTPClientRequest, CircuitBreaker.Permit)
        do throws(RemoteSigningError) {
            request = try signer.call.request(body, token.value, limit: limit)
            permit = try signer.governor.admit(urgency, for: signer.account, at: now)
        } catch {
            // Why the previous try failed tells more, if there was one.
            let told = lastError ?? error
            throw RemoteSigningError(
                reason: told.reason, retryAfter: error.retryAfter, told.remedy, isOurLimit: told.isOurLimit)
        }
        do throws(SigningFault) {
            let jwt = try await answer(to: request, token)
            ended(permit, .success)
            return .success(jwt)
        } catch {
            ended(permit, error.outcome, error)
            return .failure(error)
        }
    }

    private func answer(to request: HTTPClientRequest, _ token: AccessToken) async throws(SigningFault) -> SignedJWT {
        let response: HTTPClientResponse
        do { response = try await signer.send(request) } catch { throw SigningFault(error) }
        guard response.status == 200 else {
            throw SigningFault(response, signer.call, token.value, at: signer.clock.epochSeconds())
        }
        do { return try SignedJWT(response, asked: claims) } catch { throw SigningFault(error, signer.call) }
    }

    private func ended(
        _ permit: CircuitBreaker.Permit, _ outcome: CircuitBreaker.Outcome, _ fault: SigningFault? = nil
    ) {
        let now = signer.clock.monotonic()
        signer.governor.ended(permit, outcome, fault?.error, for: signer.account, at: now)
        guard let fault, fault.isQuota else { return }
        signer.governor.exhausted(for: fault.retryAfter ?? .seconds(SigningFault.quotaPause), fault.error, at: now)
    }

    private func verified(_ jwt: SignedJWT) async throws(RemoteSigningError) -> [UInt8] {
        let keys = signer.keys
        var fitting = keys.knownKeys(jwt.keyID)
        if fitting.isEmpty {
            fitting = try await limited(Self.publishedKeys) { () throws(RemoteSigningError) in
                try await keys.keys(jwt.keyID)
            }.get()
        }
        guard fitting.contains(where: jwt.isSigned) else { throw SigningFault(.badSignature, signer.call).error }
        return jwt.jwt
    }

    /// Waits before the next try; throws if there is none.
    private mutating func pause(after fault: SigningFault) async throws(RemoteSigningError) {
        lastError = fault.error
        let (now, random) = (signer.clock.monotonic(), signer.clock.random())
        guard let pause = schedule.pause(after: fault.failure, at: now, random: random) else {
            throw try await explained(fault)
        }
        if pause > .zero { await signer.clock.sleep(pause) }
    }

    /// Only the published keys tell a missing account from a missing role.
    private func explained(_ fault: SigningFault) async throws(RemoteSigningError) -> RemoteSigningError {
        let keys = signer.keys
        guard fault.mayMeanMissingAccount,
            try await limited(Self.publishedKeys, keys.existence) == .success(.isMissing)
        else { return fault.error }
        let reason = SigningRefusal.missingAccount(signer.call.account, "(it has no published keys)")
        return RemoteSigningError(
            reason: reason, retryAfter: nil, Remedy.missingAccount(signer.call.account.email))
    }

    private static let publishedKeys = "the account's published keys"

    /// What has no time limit of its own ends at the deadline.
    private func limited<Value: Sendable, Failure: Error>(
        _ awaited: String, _ wait: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(RemoteSigningError) -> Result<Value, Failure> {
        let remaining = schedule.remaining(at: signer.clock.monotonic())
        guard let result = await signer.clock.limit(remaining, wait) else { throw deadlinePassed(awaited) }
        return result
    }

    private func deadlinePassed(_ awaited: String) -> RemoteSigningError {
        let waited = "no signature within \(urgency.deadline.wholeSeconds) s: waiting for \(awaited)"
        return lastError ?? RemoteSigningError(reason: waited, retryAfter: 1, .awaitSignatures)
    }
}
