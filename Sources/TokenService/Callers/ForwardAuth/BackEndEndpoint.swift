import CallerAccess
import HTTPClient
import HTTPServer
import ServiceConfiguration

/// The back end's URL, and how questions and answers look on the wire.
package struct BackEndEndpoint: Sendable {
    /// The longest body of an answer.
    private static let maxBodyBytes = 64 << 10
    private let url: OutgoingURL
    private let passedFields: [[UInt8]]
    private let method: Configuration.ForwardAuth.Method
    private let form: BackEndForm
    private let limits: HTTPClientLimits
    private let client: OutgoingClient

    /// Headers with these names are forwarded besides `Authorization`.
    package init(
        _ url: OutgoingURL, by method: Configuration.ForwardAuth.Method = .post, passing fields: [String],
        timeout: Duration, answeringBy form: BackEndForm = .json, client: OutgoingClient
    ) {
        (self.url, self.method, self.form, self.client) = (url, method, form, client)
        passedFields = fields.map { Array($0.lowercased().utf8) }
        limits = HTTPClientLimits(connectTimeout: timeout, totalTimeout: timeout, maxBodyBytes: Self.maxBodyBytes)
    }

    /// The headers of a client's request that are forwarded: `Authorization` unless it is repeated, and all values of the
    /// configured ones. Behind a trusted proxy, that says which scheme and host the client asked for.
    package func shownFields(
        of request: borrowing HTTPRequest, from client: IPAddress?, behindProxy: Bool
    ) -> [BackEndQuestion.Field] {
        var fields: [BackEndQuestion.Field] = []
        if let value = request.withField("authorization", { value in value.withUnsafeBytes { Array($0) } }) {
            fields.append(BackEndQuestion.Field("authorization", value))
        }
        for name in passedFields {
            for value in request.values(of: name) {
                fields.append(BackEndQuestion.Field(String(decoding: name, as: UTF8.self), value))
            }
        }
        guard method == .get else { return fields }
        let own = [request.isSecure ? "https" : "http", request.field("host"), client?.description]
        for (name, own) in zip(BackEndQuestion.reachedHeaders, own) {
            let said = behindProxy && name != "x-forwarded-for" ? request.values(of: Array(name.utf8)) : []
            if let value = said.count == 1 ? said[0] : own.map({ Array($0.utf8) }) {
                fields.append(BackEndQuestion.Field(name, value))
            }
        }
        return fields
    }

    /// The header that names a caller where the question has no body; nil for a caller without a name.
    func userField(_ principal: Principal) -> BackEndQuestion.Field? {
        guard method == .get, !principal.name.isEmpty else { return nil }
        return BackEndQuestion.Field(BackEndQuestion.userHeader, Array(principal.name.utf8))
    }

    /// Asks for a caller, who takes turns with others. The completion is called once, as `OutgoingClient.send` does it.
    package func ask(
        _ question: BackEndQuestion, for caller: RateLimitKey?, as identity: RequestIdentity,
        _ completion: @escaping @Sendable (Result<BackEndDecision, BackEndOutage>) -> Void
    ) {
        let request: HTTPClientRequest
        do throws(HTTPClientFieldError) {
            request = try self.request(question, caller, identity)
        } catch {
            return completion(.failure(BackEndOutage(error.sentence, health: .unknown)))
        }
        client.send(request) { result in
            completion(Result { () throws(BackEndOutage) in try decision(result) })
        }
    }

    private func request(
        _ question: BackEndQuestion, _ caller: RateLimitKey?, _ identity: RequestIdentity
    ) throws(HTTPClientFieldError) -> HTTPClientRequest {
        var fields = [
            HTTPClientField(constant: "accept", "application/json"),
            try HTTPClientField("x-request-id", identity.text),
        ]
        switch method {
        case .post: fields.append(HTTPClientField(constant: "content-type", "application/json"))
        case .get:
            fields.append(HTTPClientField(constant: "x-forwarded-method", "GET"))
            fields.append(try HTTPClientField("x-forwarded-uri", question.target))
        }
        // The trace is forwarded unchanged: this program adds no span.
        if let trace = identity.trace, let parent = trace.parent {
            fields.append(try HTTPClientField("traceparent", parent.text))
            if !trace.state.isEmpty { fields.append(try HTTPClientField("tracestate", trace.state)) }
        }
        for field in question.fields {
            guard let text = field.text else { throw .badValue(name: field.name) }
            fields.append(try HTTPClientField(field.name, text))
        }
        return HTTPClientRequest(
            url: url, method: method == .get ? .get : .post(body(of: question)), fields: fields, limits: limits,
            sender: caller?.digest)
    }

    /// Open Policy Agent expects the question as its input.
    private func body(of question: BackEndQuestion) -> [UInt8] {
        form == .opa ? Array(#"{"input":"#.utf8) + question.body + Array("}".utf8) : question.body
    }

    private func decision(
        _ result: Result<HTTPClientResponse, HTTPClientError>
    ) throws(BackEndOutage) -> BackEndDecision {
        func refusal(_ status: Int) -> BackEndDecision? {
            BackEndAnswer.refusal(of: status, ofLogins: method == .get && form == .ignore)
        }
        switch result {
        case .success(let response):
            if let refusal = refusal(response.status) { return refusal }
            let types = response.values(of: "content-type")
            return try BackEndAnswer(
                status: response.status, contentTypes: types, body: response.body.selfDelimiting,
                isWhole: response.body.whole != nil
            ).decision(form)
        case .failure(let error):
            if let refusal = error.status.flatMap(refusal) { return refusal }
            throw BackEndOutage(error.sentence, health: error.cause.health)
        }
    }
}

extension HTTPClientError.Cause {
    /// What the failure says about the back end.
    var health: BackEndHealth {
        switch self {
        case .busy, .shutDown, .timeout(.waiting, _), .timeout(.late, _): .unknown
        case .redirect, .tooLarge: .answering
        case .unresolved, .cannotConnect, .tls, .proxy, .timeout, .other: .failing
        }
    }
}
