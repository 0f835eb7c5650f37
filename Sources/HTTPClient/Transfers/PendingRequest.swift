/// A request without an answer yet: its current URL, its deadline and its completion.
final class PendingRequest: Sendable {
    let request: HTTPClientRequest
    /// The current URL, which a redirect changes.
    let url: OutgoingURL
    /// Whether the request's fields are sent: a redirect to another origin drops them.
    let sendsFields: Bool
    let redirects: Int
    /// When the total timeout ends.
    let deadline: ContinuousClock.Instant
    private let completion: @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void

    init(
        _ request: HTTPClientRequest, at now: ContinuousClock.Instant,
        completion: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        self.request = request
        self.completion = completion
        url = request.url
        sendsFields = true
        redirects = 0
        deadline = now + request.limits.totalTimeout
    }

    private init(_ origin: PendingRequest, movedTo url: OutgoingURL) {
        request = origin.request
        completion = origin.completion
        deadline = origin.deadline
        redirects = origin.redirects + 1
        sendsFields = origin.sendsFields && url.hasSameOrigin(as: origin.url)
        self.url = url
    }

    /// The same request to the target of a redirect, in libcurl's absolute form; throws why it is not followed.
    func redirected(to location: String) throws(RedirectRefusal) -> PendingRequest {
        guard request.method == .get else { throw .posted }
        guard redirects < request.limits.maxRedirects else { throw .tooMany(allowed: request.limits.maxRedirects) }
        let url: OutgoingURL
        let plainHosts = self.url.isSecure ? [] : [self.url.host]
        do { url = try OutgoingURL(plain: location, toHosts: plainHosts) } catch { throw .badURL(error) }
        // A server reached over TLS must not make this machine send requests to itself.
        guard url.isSecure || !self.url.isSecure else { throw .leavesTLS }
        guard !request.limits.staysAtOrigin || url.hasSameOrigin(as: self.url) else { throw .leavesOrigin }
        return PendingRequest(self, movedTo: url)
    }

    /// Calls the completion; call it once.
    func complete(_ result: Result<HTTPClientResponse, HTTPClientError>) { completion(result) }

    /// Calls the completion with an error; call it once.
    func fail(_ cause: HTTPClientError.Cause, status: Int? = nil, through proxy: String? = nil) {
        complete(.failure(HTTPClientError(endpoint: url.endpoint, cause: cause, status: status, proxy: proxy)))
    }
}

/// Why a redirect is not followed; it holds nothing of the target.
enum RedirectRefusal: Error, Equatable {
    case posted, leavesTLS, leavesOrigin
    case tooMany(allowed: Int)
    case badURL(OutgoingURLError)

    var reason: String {
        switch self {
        case .posted: "only a GET is redirected"
        case .leavesTLS: "it leads from https to http"
        case .leavesOrigin: "it leads to another origin"
        case .tooMany(let allowed): "\(allowed) are allowed"
        case .badURL(let error): "its URL \(error.problem)"
        }
    }
}
