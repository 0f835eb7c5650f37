/// Why the server itself refuses a request, whatever it asks for: the one table of status, stable code and sentence.
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
    package var status: HTTPStatus { rule.status }

    /// One sentence for the client: what was wrong and what was expected.
    package var detail: String { rule.detail }

    private var rule: (status: HTTPStatus, detail: String) {
        switch self {
        case .malformedRequestLine:
            (
                .badRequest,
                "The request line is malformed; expected a method, a target and HTTP/1.1, one space apart, then CR LF."
            )
        case .malformedTarget:
            (
                .badRequest,
                "The request target holds a character that RFC 3986 does not allow or a malformed percent-encoding."
            )
        case .unknownMethod:
            (.notImplemented, "The method is not known to this server.")
        case .unsupportedVersion:
            (.httpVersionNotSupported, "The protocol version is not served here; expected HTTP/1.1 or HTTP/1.0.")
        case .targetTooLong:
            (.uriTooLong, "The request line is longer than this server accepts.")
        case .malformedField:
            (
                .badRequest,
                "A header is malformed; expected a name, a colon, a value without control characters, then CR LF."
            )
        case .fieldsTooLarge:
            (.requestHeaderFieldsTooLarge, "The request has more headers, or longer ones, than this server accepts.")
        case .missingHost:
            (.badRequest, "The request has no Host header; HTTP/1.1 requires one.")
        case .malformedHost:
            (
                .badRequest,
                "The Host header is repeated, malformed or not the target's authority; expected one HOST or HOST:PORT."
            )
        case .conflictingLength:
            (
                .badRequest,
                "The body's length is given twice; expected one Content-Length or one Transfer-Encoding."
            )
        case .malformedLength:
            (.badRequest, "The Content-Length is malformed; expected decimal digits.")
        case .unknownTransferCoding:
            (.notImplemented, "The Transfer-Encoding is not known to this server; expected chunked.")
        case .unknownExpectation:
            (.expectationFailed, "The Expect header asks for what this server cannot do; expected 100-continue.")
        case .headTimeout:
            (.requestTimeout, "The request did not arrive within the time allowed.")
        case .tooManyConnections:
            (.serviceUnavailable, "The server has as many connections as it may, in all or from this address.")
        case .abandoned:
            (.serviceUnavailable, "The request was accepted, but the server failed to answer it.")
        case .plainRequest:
            (.badRequest, "The request came in plain HTTP, but this port speaks TLS; expected an https URL.")
        }
    }
}
