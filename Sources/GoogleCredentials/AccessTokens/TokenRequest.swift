import HTTPClient

/// A request on the way to an access token, and how its answer is read.
struct TokenRequest<Value: Sendable>: Sendable {
    let request: HTTPClientRequest
    /// What the request holds that no error may repeat.
    let secrets: [Secret]
    /// Makes the value of the answer.
    let read: @Sendable (TokenAnswer) throws(AccessTokenError) -> Value

    init(
        _ method: HTTPClientRequest.Method = .get, _ url: OutgoingURL, _ fields: [HTTPClientField] = [],
        patience: TokenRequestPatience = .internet, hiding secrets: [Secret] = [],
        read: @escaping @Sendable (TokenAnswer) throws(AccessTokenError) -> Value
    ) throws(AccessTokenError) {
        do {
            request = try HTTPClientRequest(url: url, method: method, fields: fields, limits: patience.limits())
        } catch {
            throw AccessTokenError("the request to \(url.endpoint) cannot be made: \(Self.sentence(error))")
        }
        self.secrets = secrets
        self.read = read
    }

    /// A form posted.
    init(
        posting form: [(name: String, value: String)], to url: OutgoingURL, _ fields: [HTTPClientField] = [],
        hiding secrets: [Secret], read: @escaping @Sendable (TokenAnswer) throws(AccessTokenError) -> Value
    ) throws(AccessTokenError) {
        let type = try HTTPClientField.checked("content-type", "application/x-www-form-urlencoded")
        try self.init(
            .post(Array(FormBody.encode(form).utf8)), url, [type] + fields, hiding: secrets, read: read)
    }

    /// Sends the request, and reads the answer.
    func value(by send: HTTPSend) async throws(AccessTokenError) -> Value {
        let response: HTTPClientResponse
        do {
            response = try await send(request)
        } catch {
            throw AccessTokenError(error)
        }
        return try read(TokenAnswer(response, from: request.url.endpoint, hiding: secrets))
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientFieldError: error.sentence
        case let error as HTTPClientLimitError: error.sentence
        default: "\(error)"
        }
    }
}

/// How long a request on the way to an access token may take.
enum TokenRequestPatience {
    /// A service on the internet.
    case internet
    /// A metadata server, which is a hop away; where there is none, the address may not answer at all.
    case metadata
    /// The question whether there is a metadata server.
    case presence

    func limits() throws(HTTPClientLimitError) -> HTTPClientLimits {
        let (connect, total): (Duration, Duration) =
            switch self {
            case .internet: (.seconds(5), .seconds(10))
            case .metadata: (.seconds(1), .seconds(5))
            case .presence: (.seconds(1), .seconds(1))
            }
        return try HTTPClientLimits(connectTimeout: connect, totalTimeout: total, maxBodyBytes: TokenAnswer.maxBytes)
    }
}

extension HTTPClientField {
    /// A field; its error never holds the value.
    static func checked(_ name: String, _ value: String) throws(AccessTokenError) -> HTTPClientField {
        do throws(HTTPClientFieldError) {
            return try HTTPClientField(name, value)
        } catch {
            throw AccessTokenError(error.sentence)
        }
    }
}
