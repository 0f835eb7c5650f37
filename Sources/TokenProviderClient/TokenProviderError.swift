import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why the app gets no token.
///
/// The client has already done what helps: it has asked for fresh credentials after 401, waited for `Retry-After`, and
/// tried again after network errors. No case holds a token or credentials, unless your closure's own error does.
public enum TokenProviderError: Error, Sendable {
    /// The server does not accept the caller's credentials, not even fresh ones (401).
    case unauthenticated(TokenProviderProblem)

    /// The caller may not have this token (403).
    case forbidden(TokenProviderProblem)

    /// The request cannot be answered as it is: an invalid id, or a kind of token that the server does not give (4xx).
    case rejected(TokenProviderProblem)

    /// There were too many requests (429); the server accepts none for so many seconds.
    case limited(TokenProviderProblem, retryAfter: TimeInterval?)

    /// The server cannot answer at the moment (5xx); it may again after so many seconds.
    case unavailable(TokenProviderProblem, retryAfter: TimeInterval?)

    /// The server was not reached, did not answer in time, or the connection broke.
    case unreachable(URLError)

    /// Something answered that is not a token provider, such as the page of a captive portal.
    case invalidAnswer(status: Int, reason: String)

    /// The server redirects to this host; the client follows no redirect, so that credentials reach no other host.
    case redirected(status: Int, host: String?)

    /// Your closure gave no credentials: the error that it threw.
    case noCredentials(any Error)

    /// Your closure gave a text that cannot be a bearer token: an empty one, or one that is not visible ASCII.
    case malformedCredentials

    /// What the server said, if it was the server that refused.
    public var problem: TokenProviderProblem? {
        switch self {
        case .unauthenticated(let problem), .forbidden(let problem), .rejected(let problem): problem
        case .limited(let problem, _), .unavailable(let problem, _): problem
        case .unreachable, .invalidAnswer, .redirected, .noCredentials, .malformedCredentials: nil
        }
    }
}

/// What the server said about a refusal: problem details (RFC 9457).
public struct TokenProviderProblem: Sendable, Hashable {
    /// The status of the answer.
    public let status: Int

    /// The server's stable name for the problem, such as `caller_not_allowed`; `status_502` and the like if something
    /// else answered in its place.
    public let code: String

    /// One sentence: what is wrong, and what was expected.
    public let detail: String

    init(status: Int, code: String, detail: String) {
        (self.status, self.code, self.detail) = (status, String(code.prefix(100)), String(detail.prefix(1000)))
    }
}

extension TokenProviderError {
    /// Whether the server has decided so, and would again.
    var isDecision: Bool {
        switch self {
        case .unauthenticated, .forbidden, .rejected: true
        default: false
        }
    }

    /// The same with the seconds that are left, if the server named some.
    func waiting(_ seconds: TimeInterval) -> TokenProviderError {
        switch self {
        case .limited(let problem, .some): .limited(problem, retryAfter: seconds)
        case .unavailable(let problem, .some): .unavailable(problem, retryAfter: seconds)
        default: self
        }
    }
}

extension TokenProviderError: LocalizedError, CustomStringConvertible {
    /// One sentence: what is wrong, and why.
    public var description: String {
        switch self {
        case .unauthenticated(let problem): "the caller's credentials are not accepted: \(problem.sentence)"
        case .forbidden(let problem): "the caller may not have this token: \(problem.sentence)"
        case .rejected(let problem): "the request for a token is wrong: \(problem.sentence)"
        case .limited(let problem, let seconds):
            "there were too many requests for tokens: \(problem.sentence)\(Self.wait(seconds))"
        case .unavailable(let problem, let seconds):
            "the token provider cannot answer now: \(problem.sentence)\(Self.wait(seconds))"
        case .unreachable(let error):
            "the token provider cannot be reached: URLError \(error.code.rawValue); expected an answer"
        case .invalidAnswer(let status, let reason):
            "the answer with the status \(status) is not a token provider's: \(reason)"
        case .redirected(let status, let host):
            "the token provider redirects to \(host ?? "nowhere") (\(status)); expected an answer"
        case .noCredentials(let error):
            "the app gave no credentials: its closure threw \(type(of: error)); expected a bearer token"
        case .malformedCredentials:
            "the app gave malformed credentials: they are empty or not visible ASCII; expected a bearer token"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    private static func wait(_ seconds: TimeInterval?) -> String {
        seconds.map { "; expected no request for \(Int($0.rounded(.up))) s" } ?? ""
    }
}

extension TokenProviderProblem {
    fileprivate var sentence: String { "\(detail) (\(code))" }
}
