import HTTPClient
import StrictJSON

/// An answer of an endpoint, which its errors name; no error holds what it answered but the reason of a refusal.
struct TokenAnswer: Sendable {
    /// The largest body.
    static let maxBytes = 64 << 10

    let response: HTTPClientResponse
    /// The host and the port.
    let endpoint: String
    private let secrets: [Secret]

    init(_ response: HTTPClientResponse, from endpoint: String, hiding secrets: [Secret]) {
        (self.response, self.endpoint, self.secrets) = (response, endpoint, secrets)
    }

    /// An error with the endpoint before this predicate, such as "answered without a token".
    func error(_ predicate: String) -> AccessTokenError { AccessTokenError("\(endpoint) \(predicate)") }

    /// The body; throws unless the status is 200.
    private func body() throws(AccessTokenError) -> HTTPClientBody {
        guard response.status == 200 else { throw refusal }
        guard response.body.selfDelimiting.count <= Self.maxBytes else {
            throw error("answered with a body of more than \(Self.maxBytes) bytes; expected less")
        }
        return response.body
    }

    /// The body as JSON, which shows its own end.
    func json() throws(AccessTokenError) -> [UInt8] { try body().selfDelimiting }

    /// The body as text, the end of which only framing shows.
    func text() throws(AccessTokenError) -> [UInt8] {
        guard let text = try body().whole else {
            throw AccessTokenError(
                "\(endpoint) answered with a text that may be cut off; expected Content-Length or chunks",
                isTransient: true)
        }
        return text
    }

    /// The body as text without white space around it, for which errors have this name.
    func text(_ name: String) throws(AccessTokenError) -> String {
        guard let text = String(validating: try text(), as: UTF8.self) else {
            throw error("answered with \(name) that is not UTF-8; expected text")
        }
        let trimmed = text.trimmingWhiteSpace
        guard !trimmed.isEmpty else { throw error("answered with an empty body; expected \(name)") }
        return trimmed
    }

    /// The body as a JSON object.
    func object() throws(AccessTokenError) -> JSONObject {
        let body = try json()
        let json: JSONValue
        do {
            json = try JSONValue(parsing: body)
        } catch let problem {
            throw error("answered with something other than JSON: it \(problem.reason)")
        }
        guard case .object(let members) = json else {
            throw error("answered with JSON that is not an object; expected one")
        }
        return members
    }

    /// A member that is a text and not empty.
    func string(_ name: JSONName, in members: JSONObject) throws(AccessTokenError) -> String {
        switch members[name] {
        case nil: throw error("answered without \(name.text); expected a text")
        case .string(""): throw error("answered with an empty \(name.text); expected a text")
        case .string(let text): return text
        default: throw error("answered with \(name.text) that is not a text; expected one")
        }
    }

    /// The error that the status is.
    private var refusal: AccessTokenError {
        let reason = RefusalReason(response.body.selfDelimiting, hiding: secrets)
        let detail = reason.map { ": \($0.text)" } ?? ""
        return AccessTokenError(
            "\(endpoint) answered with the status \(response.status), expected 200\(detail)",
            isTransient: [408, 429, 500, 502, 503, 504].contains(response.status) || reason?.isTransient == true,
            response, reason)
    }
}

extension String {
    /// Without white space of ASCII around it.
    var trimmingWhiteSpace: String {
        let isSpace = { (byte: UInt8) in [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
        let start = utf8.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(self[start.startIndex...last])
    }
}
