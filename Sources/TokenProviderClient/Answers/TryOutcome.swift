import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What one try led to.
enum TryOutcome: Sendable {
    case token(TokenLease)
    /// Another try would end in the same way.
    case refused(TokenProviderError)
    /// Fresh credentials may help.
    case unauthenticated(TokenProviderError)
    /// Another try may help, after so many seconds if the server named them.
    case failed(TokenProviderError, retryAfter: TimeInterval?)

    /// What an answer means.
    init(
        _ answer: HTTPAnswer, for subject: FleetEngineSubject, requested start: ClockReading, hasCredentials: Bool,
        random: Double
    ) {
        let seconds = answer.retryAfter(at: start)
        switch answer.status {
        case 200: self = Self.token(answer, subject, start, random)
        case 300..<400:
            let host = answer.fields["location"].flatMap { URLComponents(string: $0)?.host }
            self = .refused(.redirected(status: answer.status, host: host))
        case 401 where hasCredentials: self = .unauthenticated(.unauthenticated(answer.problem))
        case 401: self = .refused(.unauthenticated(answer.problem))
        case 403: self = .refused(.forbidden(answer.problem))
        case 429: self = .failed(.limited(answer.problem, retryAfter: seconds), retryAfter: seconds)
        // The server waited in vain for the rest of the request, as on a bad network.
        case 408: self = .failed(.unavailable(answer.problem, retryAfter: seconds), retryAfter: seconds)
        case 400..<500: self = .refused(.rejected(answer.problem))
        case 500..<600: self = .failed(.unavailable(answer.problem, retryAfter: seconds), retryAfter: seconds)
        default: self = .refused(.invalidAnswer(status: answer.status, reason: "expected 200 or an error"))
        }
    }

    /// What the lack of an answer means.
    init(_ error: any Error) {
        let error = error as? URLError ?? URLError(.unknown)
        let isLasting = Self.lasting.contains(error.code)
        self = isLasting ? .refused(.unreachable(error)) : .failed(.unreachable(error), retryAfter: nil)
    }

    /// Errors that the next second does not change.
    private static let lasting: Set<URLError.Code> = [
        .badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection, .serverCertificateUntrusted,
        .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired, .userAuthenticationRequired,
    ]

    private static func token(
        _ answer: HTTPAnswer, _ subject: FleetEngineSubject, _ start: ClockReading, _ random: Double
    ) -> TryOutcome {
        guard answer.isJSON else {
            return .refused(.invalidAnswer(status: 200, reason: "it is \(answer.type); expected application/json"))
        }
        // JSON without its end was cut off on its way.
        guard let body = try? JSONDecoder().decode(TokenBody.self, from: answer.body), body.isToken else {
            let reason = "it holds no token with an expiration; expected token and expiration_timestamp_ms"
            return .failed(.invalidAnswer(status: 200, reason: reason), retryAfter: nil)
        }
        let lease = TokenLease(
            body.token, kind: subject.kind, expiration: body.expiration_timestamp_ms / 1000, answered: answer.date,
            requested: start, random: random)
        guard let lease else {
            let reason = "its token must be replaced already; expected one with time left"
            return .failed(.invalidAnswer(status: 200, reason: reason), retryAfter: nil)
        }
        return .token(lease)
    }
}

/// The members of an answer with a token that matter, by the server's names.
private struct TokenBody: Decodable {
    let token: String
    let expiration_timestamp_ms: Double

    /// Whether the text has the form of a JWT: three parts of base64url (RFC 7515 section 3.1).
    var isToken: Bool {
        let parts = token.split(separator: Character("."), omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            }
    }
}

extension HTTPAnswer {
    /// The media type without parameters, in lower case.
    var type: String {
        let type = (fields["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
        return type.isEmpty ? "of no type" : type.trimmingCharacters(in: .whitespaces)
    }

    var isJSON: Bool { type == "application/json" }

    /// What the server said about a refusal, or the status if something else answered in its place.
    var problem: TokenProviderProblem {
        struct Details: Decodable {
            let code: String
            let detail: String
        }
        guard let details = try? JSONDecoder().decode(Details.self, from: body) else {
            let detail = "The answer has the status \(status) and no problem details."
            return TokenProviderProblem(status: status, code: "status_\(status)", detail: detail)
        }
        return TokenProviderProblem(status: status, code: details.code, detail: details.detail)
    }
}
