import HTTPClient
import StrictJSON

/// Sends a request and waits for its answer, as `OutgoingClient.answer` does.
package typealias HTTPSend = @Sendable (HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse

/// A request on the way to an access token.
struct TokenRequest: Sendable {
    private let request: HTTPClientRequest
    /// What the request holds that no error may repeat.
    private let secrets: [Secret]

    init(
        _ method: HTTPClientRequest.Method = .get, _ url: OutgoingURL, _ fields: [HTTPClientField] = [],
        patience: TokenRequestPatience = .internet, hiding secrets: [Secret] = []
    ) {
        request = HTTPClientRequest(url: url, method: method, fields: fields, limits: patience.limits)
        self.secrets = secrets
    }

    /// A form posted.
    init(
        posting form: [(name: String, value: String)], to url: OutgoingURL, _ fields: [HTTPClientField] = [],
        hiding secrets: [Secret]
    ) {
        let type = HTTPClientField(constant: "content-type", "application/x-www-form-urlencoded")
        self.init(.post(Array(FormBody.encode(form).utf8)), url, [type] + fields, hiding: secrets)
    }

    /// Sends the request and waits for its answer.
    func answer(by send: HTTPSend) async throws(AccessTokenError) -> TokenAnswer {
        do { return TokenAnswer(try await send(request), from: request.url.endpoint, hiding: secrets) } catch {
            throw AccessTokenError(error)
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

    var limits: HTTPClientLimits {
        let (connect, total): (Duration, Duration) =
            switch self {
            case .internet: (.seconds(5), .seconds(10))
            case .metadata: (.seconds(1), .seconds(5))
            case .presence: (.seconds(1), .seconds(1))
            }
        return HTTPClientLimits(connectTimeout: connect, totalTimeout: total, maxBodyBytes: TokenAnswer.maxBytes)
    }
}

extension HTTPClientField {
    /// A field; its error never holds the value.
    static func checked(_ name: String, _ value: String) throws(AccessTokenError) -> HTTPClientField {
        do { return try HTTPClientField(name, value) } catch { throw AccessTokenError(error.sentence) }
    }
}

/// Members of a form (`application/x-www-form-urlencoded` of the URL standard).
enum FormBody {
    /// The members in this order; a space becomes a plus sign.
    static func encode(_ members: [(name: String, value: String)]) -> String {
        members.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        // A plus sign of the text itself is encoded, so that only spaces become one.
        let encoded = PercentEncoding.encode(text.utf8, keeping: " ").utf8
        return String(decoding: encoded.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }
}
