import CallerAccess
import HTTPClient
import HTTPServer
import ServiceConfiguration

/// Where a back end is asked, and how a question and its answer look on the wire.
package struct BackEndEndpoint: Sendable {
    /// Bytes that the body of an answer may have.
    private static let maxBodyBytes = 64 << 10
    private let url: OutgoingURL
    private let passedFields: [[UInt8]]
    private let limits: HTTPClientLimits
    private let client: OutgoingClient

    /// Asks at this URL, showing fields of these names besides `Authorization`, and waits for so long.
    package init(
        _ url: OutgoingURL, passing fields: [String], timeout: Duration, client: OutgoingClient
    ) throws(HTTPClientLimitError) {
        (self.url, self.client) = (url, client)
        passedFields = fields.map { Array($0.lowercased().utf8) }
        limits = try HTTPClientLimits(
            connectTimeout: timeout, totalTimeout: timeout, maxBodyBytes: Self.maxBodyBytes)
    }

    /// What of a request is shown: `Authorization` if it is there once, since nobody chooses between two, and all values of
    /// the chosen fields.
    package func shownFields(of request: borrowing HTTPRequest) -> [BackEndQuestion.Field] {
        var fields: [BackEndQuestion.Field] = []
        if let value = request.withField("authorization", { value in value.withUnsafeBytes { Array($0) } }) {
            fields.append(BackEndQuestion.Field("authorization", value))
        }
        for name in passedFields {
            for value in request.values(of: name) {
                fields.append(BackEndQuestion.Field(String(decoding: name, as: UTF8.self), value))
            }
        }
        return fields
    }

    /// Asks; the completion is called once, as `OutgoingClient.send` calls it.
    package func ask(
        _ question: BackEndQuestion, as identity: RequestIdentity,
        _ completion: @escaping @Sendable (Result<BackEndDecision, BackEndOutage>) -> Void
    ) {
        let request: HTTPClientRequest
        do throws(HTTPClientFieldError) {
            request = try self.request(question, identity)
        } catch {
            return completion(.failure(BackEndOutage(error.sentence, health: .unknown)))
        }
        client.send(request) { result in
            completion(Result { () throws(BackEndOutage) in try Self.decision(result) })
        }
    }

    private func request(
        _ question: BackEndQuestion, _ identity: RequestIdentity
    ) throws(HTTPClientFieldError) -> HTTPClientRequest {
        var fields = [
            try HTTPClientField("content-type", "application/json"), try HTTPClientField("accept", "application/json"),
            try HTTPClientField("x-request-id", identity.text),
        ]
        // The trace goes on through this program, which adds nothing to it.
        if let trace = identity.trace, let parent = trace.parent {
            fields.append(try HTTPClientField("traceparent", parent.text))
            if !trace.state.isEmpty { fields.append(try HTTPClientField("tracestate", trace.state)) }
        }
        for field in question.fields {
            guard let text = field.text else { throw .badValue(name: field.name) }
            fields.append(try HTTPClientField(field.name, text))
        }
        return try HTTPClientRequest(url: url, method: .post(question.body), fields: fields, limits: limits)
    }

    private static func decision(
        _ result: Result<HTTPClientResponse, HTTPClientError>
    ) throws(BackEndOutage) -> BackEndDecision {
        switch result {
        case .success(let response):
            let types = response.values(of: "content-type")
            return try BackEndAnswer(status: response.status, contentTypes: types, body: response.body).decision()
        case .failure(let error):
            if let refusal = error.status.flatMap(BackEndAnswer.refusal) { return refusal }
            throw BackEndOutage(error.sentence, health: error.cause.health)
        }
    }
}

extension HTTPClientError.Cause {
    /// What it says of who was asked.
    fileprivate var health: BackEndHealth {
        switch self {
        case .busy, .shutDown, .timeout(.waiting, _): .unknown
        case .redirect, .tooLarge: .answering
        case .cannotConnect, .tls, .timeout, .other: .failing
        }
    }
}
