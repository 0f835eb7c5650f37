import FleetEngineToken
import HTTPClient
import Locking

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
    private let caller: IAMMember
    private let send: HTTPSend
    private let last = Guarded<Failure?>(nil)

    /// A probe for an account, asked with an access token of the caller. Throws for a bad address or URL.
    package init(
        account: String, delegates: [String], endpoint: OutgoingURL, token: AccessToken, caller: IAMMember,
        send: @escaping HTTPSend
    ) throws(RemoteSigningError) {
        call = try SignJWTCall(account: account, delegates: delegates, base: endpoint)
        (self.account, self.token, self.caller, self.send) = (account, token, caller, send)
    }

    /// Why the last signature was not made; nil if it was.
    package var failure: Failure? { last.withLock { $0 } }

    package func sign(
        _ claims: [UInt8], _ urgency: SigningUrgency,
        _ completion: @escaping @Sendable (Result<[UInt8], RemoteSigningError>) -> Void
    ) {
        let request: HTTPClientRequest
        do throws(RemoteSigningError) {
            request = try call.request(call.body(claims), token.value, limit: urgency.deadline)
        } catch {
            return completion(.failure(error))
        }
        send(request) { [self] result in
            completion(
                Result { () throws(Failure) in try read(result, asked: claims) }.mapError { failure in
                    last.withLock { $0 = failure }
                    return RemoteSigningError(reason: failure.failure.detail, retryAfter: nil)
                })
        }
    }

    private func read(
        _ result: Result<HTTPClientResponse, HTTPClientError>, asked claims: [UInt8]
    ) throws(Failure) -> [UInt8] {
        switch result {
        case .failure(let outage): throw Failure(ProbeFailure(outage))
        case .success(let response) where response.status == 200:
            do throws(SignedJWTError) {
                return try SignedJWT(response, asked: claims).jwt
            } catch {
                throw failure("\(call.url.endpoint) \(error.problem)", Self.endpointRemedy)
            }
        case .success(let response): throw refusal(response)
        }
    }

    private func refusal(_ response: HTTPClientResponse) -> Failure {
        guard let google = GoogleAPIError(response) else {
            return failure(
                GoogleAPIError.missing(response.status, from: call.url.endpoint), Self.endpointRemedy)
        }
        let refusal = google.refusal(response.status)
        let answer = google.answer(response.status, hiding: token.value)
        return failure(
            "\(call.url.endpoint) made no signature as \(account) \(answer)", refused.remedy(refusal),
            mayMeanMissingAccount: refusal.cause == .permission)
    }

    private func failure(_ detail: String, _ remedy: Remedy, mayMeanMissingAccount: Bool = false) -> Failure {
        Failure(ProbeFailure(detail, remedy), mayMeanMissingAccount: mayMeanMissingAccount)
    }

    private var refused: RefusedCall {
        .signing(as: account, call.delegates.map(\.email), by: caller)
    }

    private static let endpointRemedy = Remedy("set google.iam_credentials to IAM Credentials, or remove it")
}
