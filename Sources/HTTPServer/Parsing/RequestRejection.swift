/// Why the server itself refuses a request, whatever it asks for.
package enum RequestRejection: Error, CaseIterable, Sendable {
    case malformedRequestLine, malformedTarget, unknownMethod, unsupportedVersion, targetTooLong
    case malformedField, fieldsTooLarge, missingHost, malformedHost
    case conflictingLength, malformedLength, unknownTransferCoding, unknownExpectation
    case headTimeout, tooManyConnections, abandoned, plainRequest

    /// Its row in the table of problems.
    package var row: ProblemRow { Self.rows[self] ?? Self.fault }
    package var code: String { row.code }
    package var status: HTTPStatus { row.status }
    package var detail: String { row.sentence }

    private static let fault = ProblemRow(
        "answer_abandoned", .serviceUnavailable,
        "The request was accepted, but the server failed to answer it; expected another attempt.",
        cure: "try again; report it with the log")

    private static let rows: [RequestRejection: ProblemRow] = [
        .malformedRequestLine: ProblemRow(
            "malformed_request_line", .badRequest,
            "The request line is malformed; expected a method, a target and HTTP/1.1, one space apart, then CR LF.",
            cure: "correct the client or the proxy"),
        .malformedTarget: ProblemRow(
            "malformed_target", .badRequest,
            "The request target is malformed: RFC 3986 does not allow one of its characters or percent-encodings; "
                + "expected %XX for other characters.",
            cure: "percent-encode the path and the query"),
        .unknownMethod: ProblemRow(
            "unknown_method", .notImplemented,
            "The method is not known to this server; expected one of RFC 9110, such as GET.", cure: "use GET"),
        .unsupportedVersion: ProblemRow(
            "unsupported_version", .httpVersionNotSupported,
            "The protocol version is not served here; expected HTTP/1.1 or HTTP/1.0.",
            cure: "use HTTP/1.1; unencrypted HTTP/2 needs h2c or http2.prior_knowledge"),
        .targetTooLong: ProblemRow(
            "target_too_long", .uriTooLong,
            "The request line is longer than this server accepts; expected a shorter path and query.",
            cure: "shorten path and query"),
        .malformedField: ProblemRow(
            "malformed_field", .badRequest,
            "A header is malformed; expected a name, a colon, a value without control characters, then CR LF.",
            cure: "correct the client's headers"),
        .fieldsTooLarge: ProblemRow(
            "fields_too_large", .requestHeaderFieldsTooLarge,
            "The request has more headers, or longer ones, than this server accepts; expected fewer or shorter ones.",
            cure: "send fewer or shorter headers, or raise the limits in http"),
        .missingHost: ProblemRow(
            "missing_host", .badRequest,
            "The request has no Host header, which HTTP/1.1 requires; expected one HOST or HOST:PORT.",
            cure: "send one Host header"),
        .malformedHost: ProblemRow(
            "malformed_host", .badRequest,
            "The Host header is repeated, malformed or not the target's authority; expected one HOST or HOST:PORT.",
            cure: "send one Host header"),
        .conflictingLength: ProblemRow(
            "conflicting_length", .badRequest,
            "The body's length is given twice; expected one Content-Length or one Transfer-Encoding.",
            cure: "send one length, or no body"),
        .malformedLength: ProblemRow(
            "malformed_length", .badRequest, "The Content-Length is malformed; expected decimal digits.",
            cure: "send one length, or no body"),
        .unknownTransferCoding: ProblemRow(
            "unknown_transfer_coding", .notImplemented,
            "The Transfer-Encoding is not known to this server; expected chunked.", cure: "send no body"),
        .unknownExpectation: ProblemRow(
            "unknown_expectation", .expectationFailed,
            "The Expect header asks for what this server cannot do; expected 100-continue.",
            cure: "remove the header Expect"),
        .headTimeout: ProblemRow(
            "head_timeout", .requestTimeout,
            "The headers of the request arrived too slowly; expected all of them in the time allowed.",
            cure: "try again; on slow networks raise http.header_timeout"),
        .tooManyConnections: ProblemRow(
            "too_many_connections", .serviceUnavailable,
            "The server has as many connections as it may, in all or from this address; expected fewer, or another "
                + "attempt later.",
            cure: "keep connections alive, raise http.max_connections, or add replicas"),
        .abandoned: fault,
        .plainRequest: ProblemRow(
            "plain_request", .badRequest,
            "The request came in plain HTTP, but this port speaks TLS; expected an https URL.",
            cure: "use an https URL"),
    ]
}

/// A row of the tables of problems, which clients, logs, metrics, `inspect` and API.md read.
package struct ProblemRow: Sendable {
    /// The stable word by which programs know the problem; metrics have it as a label.
    package let code: String
    package let status: HTTPStatus
    /// One sentence for the client: what is wrong, and what was expected. `{}` stands for words of the request.
    package let sentence: String
    /// What an operator or a developer does about it.
    package let cure: String

    package init(_ code: String, _ status: HTTPStatus, _ sentence: String, cure: String) {
        (self.code, self.status, self.sentence, self.cure) = (code, status, sentence, cure)
    }
}
