import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a request and returns the answer, whatever its status; throws if there is none.
package typealias Transport = @Sendable (URLRequest) async throws -> HTTPAnswer

/// Requests by a session of its own that stores nothing: no cache, no cookies, no credentials.
final class URLSessionTransport: Sendable {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // The session keeps its delegate until it is invalidated. A delegate of one task hears of no redirect on Linux.
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Not by `data(for:)`: on Linux, a cancellation while the answer arrives locks up both threads for good. It cancels
    /// the request under the lock of the Swift task, which the thread that delivers the answer waits for.
    func answer(to request: URLRequest) async throws -> HTTPAnswer {
        let answers = AsyncThrowingStream<HTTPAnswer, any Error> { answers in
            let task = session.dataTask(with: request) { body, response, error in
                if error == nil, let answer = HTTPAnswer(response, body: body) { answers.yield(answer) }
                answers.finish(throwing: error ?? URLError(.badServerResponse))
            }
            answers.onTermination = { _ in DispatchQueue.global().async { task.cancel() } }
            task.resume()
        }
        for try await answer in answers { return answer }
        throw CancellationError()
    }
}

extension HTTPAnswer {
    fileprivate init?(_ response: URLResponse?, body: Data?) {
        guard let response = response as? HTTPURLResponse, let body else { return nil }
        var fields: [String: String] = [:]
        for case let (name as String, value as String) in response.allHeaderFields { fields[name] = value }
        self.init(status: response.statusCode, fields: fields, body: body)
    }
}

/// Delivers a redirect as the answer that it is, so that credentials go to no other host.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
