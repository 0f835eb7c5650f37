import Concurrency
import FleetEngineToken
import HTTPClient

/// Has one token signed by `signJwt`: one call without retries, quota or circuit breaker, whose failure says exactly
/// what Google answered. The signature itself is not verified.
package final class SigningProbe: RemoteTokenSigner {
    /// Why the signature was not made.
    package struct Failure: Error, Sendable {
        package let failure: ProbeFailure
        /// Whether the cause may be that the account does not exist, which its published keys tell.
        package let mayMeanMissingAccount: Bool

        /// A failure that another account would have too, unless stated otherwise.
        package init(_ failure: ProbeFailure, mayMeanMissingAccount: Bool = false) {
            (self.failure, self.mayMeanMissingAccount) = (failure, mayMeanMissingAccount)
        }
    }

    package let account: String
    private let call: SignJWTCall
    private let token: AccessToken
    private let send: HTTPSend
    private let last = Guarded<Failure?>(nil)

    /// A probe for an account, asked with an access token of the caller; `project` is that of such calls. Throws for a bad
    /// address or URL.
    package init(
        account: String, delegates: [String], endpoint: OutgoingURL, token: AccessToken, caller: IAMMember,
        project: QuotaProject?, send: @escaping HTTPSend
    ) throws(RemoteSigningError) {
        call = try SignJWTCall(account: account, delegates: delegates, base: endpoint, caller: caller, project: project)
        (self.account, self.token, self.send) = (account, token, send)
    }

    /// Why the last signature was not made; nil if it was.
    package var failure: Failure? { last.withLock { $0 } }

    package func sign(_ claims: [UInt8], _ urgency: SigningUrgency) async throws(RemoteSigningError) -> [UInt8] {
        let request = try call.request(call.body(claims), token.value, limit: urgency.deadline)
        do throws(Failure) {
            return try await answer(to: request, asked: claims)
        } catch {
            last.withLock { $0 = error }
            throw RemoteSigningError(reason: error.failure.detail, retryAfter: nil, error.failure.remedy)
        }
    }

    private func answer(to request: HTTPClientRequest, asked claims: [UInt8]) async throws(Failure) -> [UInt8] {
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await send(request)
        } catch {
            throw Failure(ProbeFailure(error))
        }
        guard response.status == 200 else { throw refusal(response) }
        do throws(SignedJWTError) {
            return try SignedJWT(response, asked: claims).jwt
        } catch {
            throw Failure(ProbeFailure("\(call.url.endpoint) \(error.problem)", call.remedy(error)))
        }
    }

    private func refusal(_ response: HTTPClientResponse) -> Failure {
        let google = GoogleAPIError(response)
        let detail =
            google.map { error in
                let answer = error.answer(response.status, hiding: token.value)
                return "\(call.url.endpoint) made no signature as \(account) \(answer)"
            } ?? GoogleAPIError.missing(response.status, from: call.url.endpoint)
        return Failure(
            ProbeFailure(detail, call.remedy(google, response.status)),
            mayMeanMissingAccount: google?.refusal(response.status).cause == .permission)
    }
}
