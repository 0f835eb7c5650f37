import Foundation

/// Fetches Fleet Engine tokens from a token provider, and keeps them for as long as they may be used.
///
/// ```swift
/// let tokens = TokenProviderClient(url: URL(string: "https://tokens.example.com")!) {
///     guard let user = Auth.auth().currentUser else { throw URLError(.userAuthenticationRequired) }
///     return try await user.getIDToken()
/// }
/// let token = try await tokens.token(for: .vehicle("vehicle-1"))
/// ```
///
/// Ask for the token whenever you need it: it comes from memory, is renewed in the background before it expires, and
/// all callers share one request for each subject. Create one client and keep it; nothing is stored on disk.
public actor TokenProviderClient {
    private let tries: TokenTry
    private let clock: ClientClock

    private var slots: [FleetEngineSubject: TokenSlot] = [:]
    private var callers: [TokenSlot.WaiterID: CheckedContinuation<FleetEngineAccessToken, any Error>] = [:]
    private var lastCaller: TokenSlot.WaiterID = 0
    private var requests: [FleetEngineSubject: Task<Void, Never>] = [:]
    private var alarms: [FleetEngineSubject: (time: TimeInterval, task: Task<Void, Never>)] = [:]
    /// Until when the server accepts no request for any subject.
    private var pause: TokenPause?

    /// A client of the token provider at a base URL, such as `https://tokens.example.com`.
    ///
    /// The closure returns the caller's own credentials: an ID token of your identity provider, or an API key. It is
    /// called for each request to the server, and once more if the server does not accept what it returned.
    public init(url: URL, credentials: @escaping @Sendable () async throws -> String) {
        self.init(url: url, clock: .system, transport: Self.session(), credentials: { _ in try await credentials() })
    }

    /// The same, with a closure that learns whether the server did not accept the credentials that it returned before.
    ///
    /// ```swift
    /// TokenProviderClient(url: url) { wereRefused in
    ///     guard let user = Auth.auth().currentUser else { throw URLError(.userAuthenticationRequired) }
    ///     return try await user.getIDTokenResult(forcingRefresh: wereRefused).token
    /// }
    /// ```
    public init(url: URL, credentials: @escaping @Sendable (_ wereRefused: Bool) async throws -> String) {
        self.init(url: url, clock: .system, transport: Self.session(), credentials: credentials)
    }

    /// A client of a token provider that authenticates no callers, such as `token-provider demo`.
    public init(url: URL) {
        self.init(url: url, clock: .system, transport: Self.session(), credentials: nil)
    }

    package init(
        url: URL, clock: ClientClock, transport: @escaping Transport, credentials: CredentialsSource?
    ) {
        tries = TokenTry(baseURL: url, credentials: credentials, transport: transport, clock: clock)
        self.clock = clock
    }

    /// Requests by `URLSession`.
    package static func session() -> Transport {
        let session = URLSessionTransport()
        return { try await session.answer(to: $0) }
    }

    deinit {
        for task in requests.values { task.cancel() }
        for alarm in alarms.values { alarm.task.cancel() }
    }

    /// The token for a subject: from memory, or from the server.
    ///
    /// - Parameters:
    ///   - subject: What the token is for, such as `.vehicle("vehicle-1")`.
    ///   - timeout: Seconds after which the call fails. Tries and the pauses between them take place within them.
    /// - Returns: A token that may be used until its expiry.
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the calling task is cancelled. Other callers that
    ///   wait for the same token are not affected by either.
    public func token(
        for subject: FleetEngineSubject, within timeout: TimeInterval = 30
    ) async throws -> FleetEngineAccessToken {
        let now = clock.now()
        if let token = slots[subject]?.use(at: now) {
            setAlarm(for: subject, at: now)
            return token
        }
        lastCaller += 1
        let caller = lastCaller
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                callers[caller] = continuation
                // A day is as good as for ever; the comparison also holds for what is not a number.
                let seconds = timeout > 0 ? min(timeout, 86_400) : 0
                handle(.asked(caller, deadline: now.monotonic + seconds), of: subject)
            }
        } onCancel: {
            Task { await self.cancel(caller, of: subject) }
        }
    }

    /// Forgets the token for a subject, so that the next one comes from the server: after Fleet Engine refused it.
    ///
    /// Callers that wait for this subject get a token that is requested after this call.
    public func invalidate(_ subject: FleetEngineSubject) {
        guard slots[subject] != nil else { return }
        handle(.invalidated, of: subject)
    }

    /// Forgets the tokens for all subjects: after the user signed out.
    public func invalidateAll() {
        for subject in Array(slots.keys) { handle(.invalidated, of: subject) }
    }

    /// Fetches the token for a subject in the background, unless it is in memory: before a trip begins.
    ///
    /// Errors are not reported. The next call of ``token(for:within:)`` tries again.
    public func prefetch(_ subject: FleetEngineSubject) {
        handle(.prefetched(until: clock.now().monotonic + 30), of: subject)
    }
}

extension TokenProviderClient {
    /// Whether a request for a subject's token goes on.
    package func isFetching(_ subject: FleetEngineSubject) -> Bool {
        if case .sending = slots[subject]?.work { true } else { false }
    }

    /// Changes a subject's state, and does what that asks for.
    private func handle(_ event: TokenSlot.Event, of subject: FleetEngineSubject) {
        let moment = TokenSlot.Moment(now: clock.now(), random: clock.random(), pause: pause)
        var slot = slots[subject] ?? TokenSlot()
        let actions = slot.handle(event, at: moment)
        slots[subject] = slot.isEmpty ? nil : slot
        for action in actions { perform(action, for: subject) }
        if slot.isEmpty { requests[subject] = nil }
        setAlarm(for: subject, at: moment.now)
    }

    private func perform(_ action: TokenSlot.Action, for subject: FleetEngineSubject) {
        switch action {
        case .cancelSend: requests.removeValue(forKey: subject)?.cancel()
        case .pauseAll(let pause): self.pause = [self.pause, pause].compactMap { $0 }.max { $0.end < $1.end }
        case .answer(let ids, let result):
            for id in ids { callers.removeValue(forKey: id)?.resume(with: result.mapError { $0 }) }
        case .send(let id, let fresh):
            requests[subject] = Task { [weak self, tries] in
                let outcome = await tries.run(for: subject, freshCredentials: fresh)
                await self?.handle(.ended(id, outcome), of: subject)
            }
        }
    }

    private func cancel(_ caller: TokenSlot.WaiterID, of subject: FleetEngineSubject) {
        callers.removeValue(forKey: caller)?.resume(throwing: CancellationError())
        handle(.cancelled(caller), of: subject)
    }

    /// Wakes up when a subject's state must be looked at again.
    private func setAlarm(for subject: FleetEngineSubject, at now: ClockReading) {
        guard let seconds = slots[subject]?.nextEvent(at: now) else {
            alarms.removeValue(forKey: subject)?.task.cancel()
            return
        }
        let time = now.monotonic + seconds
        if let alarm = alarms[subject], abs(alarm.time - time) < 0.1 { return }
        alarms[subject]?.task.cancel()
        let task = Task { [weak self, clock] in
            do { try await clock.sleep(seconds) } catch { return }
            await self?.ring(for: subject, time)
        }
        alarms[subject] = (time, task)
    }

    private func ring(for subject: FleetEngineSubject, _ time: TimeInterval) {
        guard alarms[subject]?.time == time else { return }
        alarms[subject] = nil
        handle(.due, of: subject)
    }
}

extension TokenProviderClient: CustomReflectable {
    /// Nothing: what the client holds is secret.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
