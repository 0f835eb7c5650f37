import Concurrency
import FleetEngineToken
import HTTPClient
import StrictJSON

/// The metadata server of Google Compute Engine, GKE and Cloud Run (AIP-4115), over plain http, as it has nothing else.
///
/// A machine that is not Google's has none, and may have something silent at its address. So it is asked for nothing
/// before it has said, within a second, that it is there.
package final class MetadataServer: Sendable {
    /// The host, and the port if it has one, that is asked for tokens.
    package let host: String
    /// The same for the question whether there is a metadata server: an address, so that no name is looked up.
    package let presenceHost: String
    /// Whether it has said that it is there.
    private let isKnown = Guarded(false)

    /// The server that `GCE_METADATA_HOST` names, with `GCE_METADATA_IP` for its presence, or the usual one.
    package init(environment: [String: String]) throws(AccessTokenError) {
        let host = try Self.host("GCE_METADATA_HOST", in: environment)
        self.host = host ?? "metadata.google.internal"
        presenceHost = try Self.host("GCE_METADATA_IP", in: environment) ?? host ?? "169.254.169.254"
    }

    private static func host(_ variable: String, in environment: [String: String]) throws(AccessTokenError) -> String? {
        guard let host = environment[variable], !host.isEmpty else { return nil }
        guard !host.contains("/"), !host.contains("?"), (try? url(host, "")) != nil else {
            throw AccessTokenError("\(variable) is not a host; expected HOST or HOST:PORT")
        }
        return host
    }

    /// A URL of this host alone, which may be another machine although it is plain http.
    private static func url(_ host: String, _ path: String) throws(OutgoingURLError) -> OutgoingURL {
        let name = try OutgoingURL("https://\(host)/").host
        return try OutgoingURL(plain: "http://\(host)/\(path)", toHosts: [name])
    }

    private static let account = "computeMetadata/v1/instance/service-accounts/default/"

    /// Why the metadata server was not found; nil if it was. Takes at most a second.
    package func absence(_ send: HTTPSend) async -> AccessTokenError? {
        do throws(AccessTokenError) {
            try await confirm(send)
            return nil
        } catch {
            return error
        }
    }

    /// A token of the default account with these scopes; none for those of the machine. The clock returns seconds since the
    /// epoch.
    func token(
        _ scopes: [String], clock: @Sendable () -> Int64, _ send: HTTPSend
    ) async throws(AccessTokenError) -> AccessToken {
        try await confirm(send)
        let query = scopes.isEmpty ? "" : "?scopes=\(PercentEncoding.encode(scopes.joined(separator: ",").utf8))"
        let now = clock()
        return try await answer(host, "\(Self.account)token\(query)", .metadata, send).accessToken(at: now)
    }

    /// The e-mail address of the default account.
    package func email(_ send: HTTPSend) async throws(AccessTokenError) -> String {
        try await confirm(send)
        let answer = try await answer(host, "\(Self.account)email", .metadata, send)
        guard let email = ServiceAccountEmail(try answer.text("an e-mail address")) else {
            throw answer.error("answered with something other than an e-mail address; expected NAME@DOMAIN")
        }
        return email.text
    }

    /// Throws if no metadata server answers within a second; returns at once if it has answered before.
    private func confirm(_ send: HTTPSend) async throws(AccessTokenError) {
        if isKnown.withLock({ $0 }) { return }
        do { _ = try await answer(presenceHost, "", .presence, send) } catch { throw error.ofAbsentService }
        isKnown.withLock { $0 = true }
    }

    private func answer(
        _ host: String, _ path: String, _ patience: TokenRequestPatience, _ send: HTTPSend
    ) async throws(AccessTokenError) -> TokenAnswer {
        let url: OutgoingURL
        do { url = try Self.url(host, path) } catch {
            throw AccessTokenError("the URL of the metadata server \(error.problem)")
        }
        let flavor = HTTPClientField(constant: "metadata-flavor", "Google")
        let answer = try await TokenRequest(.get, url, [flavor], patience: patience).answer(by: send)
        // Anybody may answer at this address of a network that is not Google's.
        guard answer.response.values(of: "metadata-flavor").contains("Google") else {
            throw AccessTokenError(
                "\(answer.endpoint) answered without Metadata-Flavor: Google; expected Google's metadata server",
                isTransient: answer.response.status >= 500, status: answer.response.status
            ).ofAbsentService
        }
        return answer
    }
}
