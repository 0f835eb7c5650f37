import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Credentials for the token provider; fresh ones if those that it gave before were refused.
package typealias CredentialsSource = @Sendable (_ fresh: Bool) async throws -> String

/// One request for a subject's token, from credentials to what the answer means.
struct TokenTry: Sendable {
    /// Seconds until a try has failed.
    static let limit: TimeInterval = 15

    /// The URL of `/token`; nil if the client's URL is not one to which a path can be added.
    let endpoint: URLComponents?
    let credentials: CredentialsSource?
    let transport: Transport
    let clock: ClientClock

    init(baseURL: URL, credentials: CredentialsSource?, transport: @escaping Transport, clock: ClientClock) {
        var endpoint = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        while endpoint?.percentEncodedPath.hasSuffix("/") == true { endpoint?.percentEncodedPath.removeLast() }
        endpoint?.percentEncodedPath += "/token"
        (self.endpoint, self.credentials) = (endpoint, credentials)
        (self.transport, self.clock) = (transport, clock)
    }

    /// Makes the request.
    func run(for subject: FleetEngineSubject, freshCredentials: Bool) async -> TryOutcome {
        var endpoint = endpoint
        // The format with the same names for all kinds of token, which no setting of the server changes.
        endpoint?.percentEncodedQuery = "\(subject.query)&format=last_mile"
        guard let url = endpoint?.url else { return .refused(.unreachable(URLError(.badURL))) }
        var request = URLRequest(url: url, timeoutInterval: Self.limit)
        request.setValue("application/json, application/problem+json", forHTTPHeaderField: "Accept")
        do {
            try await authorize(&request, freshCredentials)
        } catch {
            return .refused(error)
        }
        let start = clock.now()
        do {
            return TryOutcome(
                try await transport(request), for: subject, requested: start, hasCredentials: credentials != nil,
                random: clock.random())
        } catch {
            return TryOutcome(error)
        }
    }

    /// Adds the credentials, which must be the visible ASCII of a bearer token (RFC 6750 section 2.1).
    private func authorize(_ request: inout URLRequest, _ fresh: Bool) async throws(TokenProviderError) {
        guard let credentials else { return }
        let text: String
        do {
            text = try await credentials(fresh)
        } catch {
            throw .noCredentials(error)
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformedCredentials }
        request.setValue("Bearer \(text)", forHTTPHeaderField: "Authorization")
    }
}
