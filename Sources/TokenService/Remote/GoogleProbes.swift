import Concurrency
import Dispatch
import FleetEngineToken
import GoogleCredentials
import HTTPClient
import HTTPServer
import OpenSSLCrypto
import ServiceConfiguration

/// Asks Google step by step what `doctor` wants to know. Each call blocks until there is an answer, its own time limit
/// has passed, or the common one.
package final class GoogleProbes: Sendable {
    private let send: HTTPSend
    private let endpoints: GoogleEndpoints
    private let time: Duration
    private let end: DispatchTime
    /// The access tokens, by how their credentials were found.
    private let sources = Guarded<[String: AccessTokenSource]>([:])
    /// Compares the clocks with each answer of Google: the metadata server has this machine's own.
    private let compared: HTTPSend
    private let clocks = ClockWatch()
    private let reachedSoFar = ReachedServices()

    /// Probes for a configuration that take at most this time together. Throws if libcurl cannot be loaded.
    package init(_ values: Configuration, within time: Duration) throws(ConfigurationErrors) {
        let settings = HTTPClientSettings(egress: try values.outgoing.egress())
        send = reachedSoFar.noting(try OutgoingClient.make("doctor", settings))
        compared = reachedSoFar.noting(try OutgoingClient.make("doctor", comparing: clocks, settings))
        endpoints = try GoogleEndpoints(values.google)
        self.time = time
        end = .now() + .milliseconds(Int(time / .milliseconds(1)))
    }

    /// The account of a metadata server, or nil for other credentials. Fails without a metadata server.
    package func machine(_ account: RemoteAccount) throws(ProbeFailure) -> String? {
        guard case .metadataServer(let server) = account.access else { return nil }
        if let error = try wait(Awaited { [send] in await server.absence(send) }).get() {
            throw error.failure(toFind: server)
        }
        // An account that is not needed may have no name: GKE has none for a pod that is not bound to one.
        let email = try wait(Awaited { [send] () async throws(AccessTokenError) in try await server.email(send) })
        if case .failure(let error) = email, account.email == nil {
            throw error.failure(of: account.access)
        }
        return try? email.get()
    }

    /// An access token for IAM Credentials.
    package func accessToken(_ account: RemoteAccount) throws(ProbeFailure) -> AccessToken {
        let source = sources.withLock { sources in
            let source = sources[account.source] ?? account.accessTokens(send)
            sources[account.source] = source
            return source
        }
        let token = try wait(Awaited(source.get))
        return try token.mapError { $0.failure(of: account.access) }.get()
    }

    /// A token of the kind that these claims are for, signed by Google as this account. `project` is that of calls with the
    /// access token.
    package func sign(
        _ claims: PrivateClaims, as email: String, _ configuration: Configuration, with token: AccessToken,
        of caller: IAMMember, in project: QuotaProject?
    ) throws(SigningProbe.Failure) -> MintedToken {
        let (probe, minter): (SigningProbe, TokenMinter)
        do {
            probe = try SigningProbe(
                account: email, delegates: configuration.delegates, endpoint: endpoints.signing, token: token,
                caller: caller, project: project, send: compared)
            minter = TokenMinter(remote: probe, policy: try configuration.tokenPolicy(of: claims.kind))
        } catch {
            throw SigningProbe.Failure(Self.settingsFailure(error))
        }
        let now = ServerTime.now().epochSeconds
        let result: Result<MintedToken, RemoteSigningError>
        do throws(ProbeFailure) {
            result = try wait(
                Awaited { () throws(RemoteSigningError) in try await minter.mintRemotely(claims, at: now, .request) })
        } catch {
            throw SigningProbe.Failure(error)
        }
        switch result {
        case .success(let minted): return minted
        case .failure(let error): throw probe.failure ?? SigningProbe.Failure(Self.settingsFailure(error))
        }
    }

    /// The keys that Google publishes for an account.
    package func publishedKeys(of email: String) -> PublishedKeysProbe.Answer {
        do {
            let probe = try PublishedKeysProbe(account: email, base: endpoints.keys)
            return try wait(Awaited { [compared] in await probe.fetch(by: compared) }).get()
        } catch {
            return .failed(error as? ProbeFailure ?? Self.settingsFailure(error))
        }
    }

    /// What Fleet Engine says to a request for this resource, such as `trips/ID`, with a token that the account signed.
    package func fleetEngine(
        _ project: String, _ resource: String, _ token: MintedToken, signedBy email: String, role: String?
    ) -> FleetEngineProbe.Verdict {
        do throws(ProbeFailure) {
            let probe = try FleetEngineProbe(
                base: endpoints.fleetEngine, project: project, resource: resource, signedBy: email, role: role)
            let jwt = Secret(String(decoding: token.jwt, as: UTF8.self))
            return try wait(Awaited { [compared] in await probe.ask(jwt, by: compared) }).get()
        } catch {
            return .refused(error, mayLackPermission: false)
        }
    }

    /// How each service that answered was reached, such as `oauth2.googleapis.com:443 directly`.
    package var reached: [String] { reachedSoFar.ways.withLock { $0.sorted() } }

    /// The difference of this machine's clock from Google's, by the answers so far; nil if none had a date.
    package var clockDifference: ClockDifference? { clocks.least }

    private func wait<Value: Sendable>(_ awaited: Awaited<Value>) throws(ProbeFailure) -> Value {
        if let value = awaited.value(before: end) { return value }
        throw ProbeFailure(
            "no answer of Google before the \(time.components.seconds) s had passed that doctor takes in all",
            .awaitSignatures, isOutage: true)
    }

    private static func settingsFailure(_ error: any Error) -> ProbeFailure {
        if let error = error as? RemoteSigningError { return ProbeFailure(error.reason, error.remedy) }
        let sentence = (error as? TokenPolicyError)?.sentence ?? "\(error)"
        return ProbeFailure(sentence, Remedy("correct the settings sign_as, delegates and google"))
    }
}

/// How services were reached that answered.
private final class ReachedServices: Sendable {
    let ways = Guarded<Set<String>>([])

    /// Sends by a client, and notes how.
    func noting(_ client: OutgoingClient) -> HTTPSend {
        { [self] request async throws(HTTPClientError) in
            let answer = try await client.answer(to: request)
            let way = answer.proxy.map { "through the proxy \($0)" } ?? "directly"
            ways.withLock { _ = $0.insert("\(request.url.endpoint) \(way)") }
            return answer
        }
    }
}
