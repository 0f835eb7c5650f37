import Concurrency

@testable import GoogleCredentials
@testable import HTTPClient

/// Answers requests in turn without a network, and remembers them.
final class FakeService: Sendable {
    /// A request as it was sent.
    struct Seen: Equatable {
        let method: String
        let url: String
        var fields: [String] = []
        var body = ""
    }

    /// The answer to a request.
    enum Answer: Sendable {
        case status(Int, [HTTPClientField], [UInt8])
        /// 200 with a body that ends with the connection.
        case unframed(String, [HTTPClientField])
        case failure(HTTPClientError.Cause)

        static func ok(_ body: String, _ fields: [HTTPClientField] = []) -> Answer {
            .status(200, fields, Array(body.utf8))
        }
        static func status(_ status: Int, _ body: String) -> Answer { .status(status, [], Array(body.utf8)) }
    }

    private struct State {
        var answers: [Answer]
        var requests: [HTTPClientRequest] = []
    }

    private let state: Guarded<State>

    init(_ answers: Answer...) { state = Guarded(State(answers: answers)) }

    var send: HTTPSend {
        { request throws(HTTPClientError) in
            let answer = self.state.withLock { state in
                state.requests.append(request)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            switch answer {
            case .status(let status, let fields, let body)?:
                let body = HTTPClientBody(body, isProven: true)
                return HTTPClientResponse(status: status, fields: fields, body: body)
            case .unframed(let text, let fields)?:
                let body = HTTPClientBody(Array(text.utf8), isProven: false)
                return HTTPClientResponse(status: 200, fields: fields, body: body)
            case .failure(let cause)?: throw HTTPClientError(endpoint: request.url.endpoint, cause: cause)
            case nil: throw HTTPClientError(endpoint: request.url.endpoint, cause: .shutDown)
            }
        }
    }
    /// Answers the next request like this, and then as before.
    func prepend(_ answer: Answer) { state.withLock { $0.answers.insert(answer, at: 0) } }

    var requests: [HTTPClientRequest] { state.withLock { $0.requests } }

    var seen: [Seen] { requests.map(Seen.init) }
}

extension FakeService.Seen {
    init(_ request: HTTPClientRequest) {
        url = request.url.text
        fields = request.fields.map { "\($0.name): \($0.value)" }
        switch request.method {
        case .get: (method, body) = ("GET", "")
        case .post(let bytes): (method, body) = ("POST", String(decoding: bytes, as: UTF8.self))
        case .put(let bytes): (method, body) = ("PUT", String(decoding: bytes, as: UTF8.self))
        }
    }
}

/// The error of a call; it holds nothing that is marked as secret.
func failure<Value: Sendable>(
    _ call: @Sendable () async throws(AccessTokenError) -> Value
) async throws -> AccessTokenError {
    switch await Result(awaiting: call) {
    case .success: throw AccessTokenError("a success; expected a failure")
    case .failure(let error):
        guard !"\(error)".contains("canary") else { throw AccessTokenError("an error with a secret in it") }
        return error
    }
}
