/// Why the server itself refuses a request, whatever it asks for: with status, stable code and sentence.
package enum RequestRejection: String, Error, CaseIterable, Sendable {
    case malformedRequestLine = "malformed_request_line"
    case malformedTarget = "malformed_target"
    case unknownMethod = "unknown_method"
    case unsupportedVersion = "unsupported_version"
    case targetTooLong = "target_too_long"
    case malformedField = "malformed_field"
    case fieldsTooLarge = "fields_too_large"
    case missingHost = "missing_host"
    case malformedHost = "malformed_host"
    case conflictingLength = "conflicting_length"
    case malformedLength = "malformed_length"
    case unknownTransferCoding = "unknown_transfer_coding"
    case unknownExpectation = "unknown_expectation"
    case headTimeout = "head_timeout"
    case tooManyConnections = "too_many_connections"
    case abandoned = "answer_abandoned"
    case plainRequest = "plain_request"

    /// The stable word by which programs know the reason.
    package var code: String { rawValue }

    /// The status it is answered with.
    package var status: HTTPStatus {
        switch self {
        case .malformedRequestLine, .malformedTarget, .malformedField, .missingHost, .malformedHost: .badRequest
        case .conflictingLength, .malformedLength, .plainRequest: .badRequest
        case .headTimeout: .requestTimeout
        case .targetTooLong: .uriTooLong
        case .unknownExpectation: .expectationFailed
        case .fieldsTooLarge: .requestHeaderFieldsTooLarge
        case .unknownMethod, .unknownTransferCoding: .notImplemented
        case .tooManyConnections, .abandoned: .serviceUnavailable
        case .unsupportedVersion: .httpVersionNotSupported
        }
    }

    /// One sentence for the client: what was wrong and what was expected.
    package var detail: String {
        switch self {
        case .malformedRequestLine:
            "The request line is malformed; expected a method, a target and HTTP/1.1, one space apart, then CR LF."
        case .malformedTarget:
            "The request target is malformed: RFC 3986 does not allow one of its characters or percent-encodings; "
                + "expected %XX for other characters."
        case .unknownMethod: "The method is not known to this server; expected one of RFC 9110, such as GET."
        case .unsupportedVersion: "The protocol version is not served here; expected HTTP/1.1 or HTTP/1.0."
        case .targetTooLong: "The request line is longer than this server accepts; expected a shorter path and query."
        case .malformedField:
            "A header is malformed; expected a name, a colon, a value without control characters, then CR LF."
        case .fieldsTooLarge:
            "The request has more headers, or longer ones, than this server accepts; expected fewer or shorter ones."
        case .missingHost: "The request has no Host header, which HTTP/1.1 requires; expected one HOST or HOST:PORT."
        case .malformedHost:
            "The Host header is repeated, malformed or not the target's authority; expected one HOST or HOST:PORT."
        case .conflictingLength:
            "The body's length is given twice; expected one Content-Length or one Transfer-Encoding."
        case .malformedLength: "The Content-Length is malformed; expected decimal digits."
        case .unknownTransferCoding: "The Transfer-Encoding is not known to this server; expected chunked."
        case .unknownExpectation: "The Expect header asks for what this server cannot do; expected 100-continue."
        case .headTimeout: "The headers of the request arrived too slowly; expected all of them in the time allowed."
        case .tooManyConnections:
            "The server has as many connections as it may, in all or from this address; expected fewer, or another "
                + "attempt later."
        case .abandoned: "The request was accepted, but the server failed to answer it; expected another attempt."
        case .plainRequest: "The request came in plain HTTP, but this port speaks TLS; expected an https URL."
        }
    }
}
