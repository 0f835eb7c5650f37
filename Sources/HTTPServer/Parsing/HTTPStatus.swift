/// A status this server answers with (RFC 9110 section 15, RFC 6585).
package enum HTTPStatus: Int, CaseIterable, Sendable {
    case ok = 200
    case noContent = 204
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case contentTooLarge = 413
    case uriTooLong = 414
    case expectationFailed = 417
    case tooManyRequests = 429
    case requestHeaderFieldsTooLarge = 431
    case internalServerError = 500
    case notImplemented = 501
    case serviceUnavailable = 503
    case httpVersionNotSupported = 505

    /// The status's place among all.
    var ordinal: Int {
        switch self {
        case .ok: 0
        case .noContent: 1
        case .badRequest: 2
        case .unauthorized: 3
        case .forbidden: 4
        case .notFound: 5
        case .methodNotAllowed: 6
        case .requestTimeout: 7
        case .contentTooLarge: 8
        case .uriTooLong: 9
        case .expectationFailed: 10
        case .tooManyRequests: 11
        case .requestHeaderFieldsTooLarge: 12
        case .internalServerError: 13
        case .notImplemented: 14
        case .serviceUnavailable: 15
        case .httpVersionNotSupported: 16
        }
    }

    /// The reason phrase, as RFC 9110 names the status.
    package var phrase: StaticString {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .expectationFailed: "Expectation Failed"
        case .tooManyRequests: "Too Many Requests"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .httpVersionNotSupported: "HTTP Version Not Supported"
        }
    }
}
