import FleetEngineToken
import HTTPClient
import StrictJSON

/// Asks Fleet Engine for something that does not exist, which tells whether it accepts a token (FleetEngineContract.md,
/// "Remote signing").
package struct FleetEngineProbe: Sendable {
    /// What Fleet Engine says about a token.
    package enum Verdict: Sendable {
        case accepted
        /// It refused the token, or did not answer. `mayLackPermission` says that the account may lack the permission
        /// for this request.
        case refused(ProbeFailure, mayLackPermission: Bool)
    }

    private static let limits = HTTPClientLimits(
        connectTimeout: .seconds(5), totalTimeout: .seconds(10), maxBodyBytes: 65_536)

    private let url: OutgoingURL
    private let refused: RefusedCall

    /// A probe for `providers/PROJECT/COLLECTION/ID` with a token that this account signed; the account needs the role.
    /// `base` is usually `https://fleetengine.googleapis.com`. Throws for a project or an id that no URL has.
    package init(
        base: OutgoingURL, project: String, resource: String, signedBy account: String, role: String?
    ) throws(ProbeFailure) {
        do {
            url = try base.appending("/v1/providers/\(project)/\(resource)", setting: "google.fleet_engine")
        } catch {
            throw ProbeFailure(error.reason, Self.endpointRemedy)
        }
        refused = .fleetEngine(project, signedBy: account, role)
    }

    /// Asks with this token, a JWT.
    package func ask(_ token: Secret, by send: HTTPSend) async -> Verdict {
        guard let authorization = try? HTTPClientField("authorization", "Bearer \(token.value)") else {
            return .refused(ProbeFailure("the request is invalid", Self.endpointRemedy), mayLackPermission: false)
        }
        let fields = [authorization, HTTPClientField(constant: "accept", "application/json")]
        let request = HTTPClientRequest(url: url, fields: fields, limits: Self.limits)
        do throws(HTTPClientError) {
            return read(try await send(request), hiding: token)
        } catch {
            return .refused(ProbeFailure(error), mayLackPermission: false)
        }
    }

    private func read(_ response: HTTPClientResponse, hiding token: Secret) -> Verdict {
        // Nothing has this id, but whatever it were, the token allowed to read it.
        if response.status == 200, response.isJSON { return .accepted }
        guard let google = GoogleAPIError(response) else {
            return .refused(
                ProbeFailure(GoogleAPIError.missing(response.status, from: url.endpoint), Self.endpointRemedy),
                mayLackPermission: false)
        }
        if response.status == 404 { return .accepted }
        let refusal = google.refusal(response.status)
        return .refused(
            ProbeFailure(
                "\(url.endpoint) refused the token \(google.answer(response.status, hiding: token))",
                refused.remedy(refusal)), mayLackPermission: refusal.cause == .permission)
    }

    private static let endpointRemedy = Remedy("set google.fleet_engine to Fleet Engine, or remove it")
}
