import Glibc

/// A request that has passed the grammar, as its handler sees it: a view of the connection's bytes that cannot be kept,
/// since it is neither copied nor consumed. What outlives the call is copied out of it.
public struct HTTPRequest: ~Copyable {
    /// The bytes that `head` was parsed from; valid while the borrow lasts.
    let bytes: UnsafeRawBufferPointer
    let head: RequestHead
    /// The path's part of them.
    @usableFromInline private(set) var pathBytes: UnsafeRawBufferPointer
    /// The query's part of them.
    @usableFromInline let query: UnsafeRawBufferPointer?
    /// The address that is connected, or was announced by a proxy (`ServerSettings.proxyProtocolFrom`); nil on a unix
    /// socket.
    package let peer: IPAddress?
    /// Knows the identity of the peer; valid while the borrow lasts, and so not counted.
    private unowned(unsafe) let client: (any RequestClient)?
    /// The number in the answer's `X-Request-ID`, unless the request came with an id.
    let requestID: UInt64
    /// Nil if the request carries neither an id nor a trace; valid while the borrow lasts, and so not counted.
    unowned(unsafe) var trace: RequestTrace?

    init(
        bytes: UnsafeRawBufferPointer, head: RequestHead, peer: IPAddress?, client: (any RequestClient)? = nil,
        requestID: UInt64
    ) {
        self.bytes = bytes
        self.head = head
        self.pathBytes = UnsafeRawBufferPointer(rebasing: bytes[head.path])
        self.query = head.query.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        (self.peer, self.client, self.requestID) = (peer, client, requestID)
    }

    /// Leaves out this beginning of the path, if a slash follows.
    mutating func dropFromPath(_ prefix: [UInt8]) {
        let rest = pathBytes.dropFirst(prefix.count)
        guard !prefix.isEmpty, rest.first == UInt8(ascii: "/"), pathBytes.starts(with: prefix) else { return }
        pathBytes = UnsafeRawBufferPointer(rebasing: rest)
    }

    /// Its id and its trace.
    package var identity: RequestIdentity { RequestIdentity(number: requestID, trace: trace) }

    /// The request's method.
    package var method: HTTPMethod { head.method }

    /// Who the peer of a secure connection is authenticated as; nil if it is not.
    package var peerIdentity: (any PeerIdentity)? { client?.identity }

    /// Whether TLS secures its connection.
    package var isSecure: Bool { client?.isSecure ?? false }

    /// Whether the path is exactly this; it is compared as it was sent, never decoded or normalised.
    package func hasPath(_ literal: StaticString) -> Bool {
        pathBytes.count == literal.utf8CodeUnitCount && pathBegins(with: literal)
    }

    /// Whether the path begins with this, compared like a whole one.
    package func pathBegins(with literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard pathBytes.count >= length, let start = pathBytes.baseAddress else { return length == 0 }
        return memcmp(start, literal.utf8Start, length) == 0
    }

    /// The path as it was sent: ASCII, percent-encodings intact.
    @inlinable
    public func withPath<Value, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(Span(_unsafeBytes: pathBytes))
    }

    /// A copy of the path as it was sent.
    package var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The query as it was sent, without its "?"; nil if there is none.
    @inlinable
    public func withQuery<Value, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let query else { return nil }
        return try body(Span(_unsafeBytes: query))
    }
}

/// Who the peer of a secure connection is authenticated as. Only the maker of the transport and the application know
/// more.
package protocol PeerIdentity: AnyObject, Sendable {}

/// Knows a request's connection: its layers.
protocol RequestClient: AnyObject {
    var identity: (any PeerIdentity)? { get }
    /// Whether the connection is secured.
    var isSecure: Bool { get }
}

/// An answer: a status, headers and a whole body. `Date`, `Content-Length` and `Connection` are the server's to add.
package struct HTTPResponse: Sendable {
    /// The status of the answer.
    package let status: HTTPStatus
    /// How the answer is counted.
    package let tally: AnswerTally
    /// The headers that the application adds to the server's.
    package let fields: HTTPFields
    /// The content; on HEAD only its length is sent (RFC 9110 section 9.3.2).
    package let content: HTTPContent
    /// What the access log says of the request.
    package var annotation: HTTPAnnotation

    /// An answer; it is valid as it stands, since its parts are.
    package init(
        status: HTTPStatus, fields: HTTPFields, content: HTTPContent, annotation: HTTPAnnotation = HTTPAnnotation(),
        tally: AnswerTally = AnswerTally()
    ) {
        (self.status, self.tally, self.fields) = (status, tally, fields)
        (self.content, self.annotation) = (content, annotation)
    }

    /// An answer with this body.
    package init(
        status: HTTPStatus, fields: HTTPFields, body: [UInt8], annotation: HTTPAnnotation = HTTPAnnotation(),
        tally: AnswerTally = AnswerTally()
    ) {
        self.init(status: status, fields: fields, content: .bytes(body), annotation: annotation, tally: tally)
    }

    /// The same answer with further headers, if there are any.
    @inline(__always)
    func adding(_ more: HTTPFields?) -> HTTPResponse {
        guard let more else { return self }
        return HTTPResponse(
            status: status, fields: fields + more, content: content, annotation: annotation, tally: tally)
    }

    /// A copy of the content.
    package var body: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: content.count) { bytes, count in
            guard let start = bytes.baseAddress else { return }
            content.copy(0..<content.count, to: start)
            count = content.count
        }
    }
}

/// An answer's content: bytes of its own, or bytes that it shares with other answers.
package enum HTTPContent: Sendable {
    case bytes([UInt8])
    case shared(any SharedContent)

    /// The number of bytes.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .shared(let content): content.answerBytes
        }
    }

    /// Copies a range of the bytes to memory of at least that size.
    func copy(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
        switch self {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(start: target, count: range.count).copyBytes(from: bytes[range])
            }
        case .shared(let content): content.copyAnswer(range, to: target)
        }
    }
}

/// Bytes that many answers may have as their content; they never change.
package protocol SharedContent: AnyObject, Sendable {
    /// The number of bytes.
    var answerBytes: Int { get }

    /// Copies a range of the bytes to memory of at least that size.
    func copyAnswer(_ range: Range<Int>, to target: UnsafeMutableRawPointer)
}

/// What the access log says of a request beyond HTTP; never a secret. One that says nothing costs nothing.
package struct HTTPAnnotation: Sendable, Equatable {
    private final class Words: Sendable {
        let route: String
        let subject: String
        let code: String
        let rule: String

        init(_ route: String, _ subject: String, _ code: String, _ rule: String) {
            (self.route, self.subject, self.code, self.rule) = (route, subject, code, rule)
        }
    }

    private let words: Words?

    /// Says nothing.
    package init() { words = nil }

    /// Says what is known; the rest is empty.
    package init(route: String = "", subject: String = "", code: String = "", rule: String = "") {
        words = Words(route, subject, code, rule)
    }

    /// The route that answered, such as `/token`; empty if none did. Never the path itself, which may hold an id.
    package var route: String { words?.route ?? "" }
    /// What was asked for, such as a keyed digest of the id; empty if it was not known.
    package var subject: String { words?.subject ?? "" }
    /// The stable code of a problem; empty if there was none.
    package var code: String { words?.code ?? "" }
    /// The name of the rule that allowed it; empty if none had to.
    package var rule: String { words?.rule ?? "" }

    /// Whether both say the same.
    package static func == (left: HTTPAnnotation, right: HTTPAnnotation) -> Bool {
        (left.route, left.subject, left.code, left.rule) == (right.route, right.subject, right.code, right.rule)
    }
}

/// What an answer counts among, in small numbers that mean something to the application alone: the server counts by
/// them and knows no more of them.
package struct AnswerTally: Sendable, Equatable {
    /// How many categories there are; of a higher number the rest counts.
    package static let categories = 32
    /// How many outcomes there are; of a higher number the rest counts.
    package static let outcomes = 512

    /// What was asked for; it is counted with the answer's status and duration.
    package let category: UInt8
    /// What came of it.
    package let outcome: UInt16

    /// An answer of this category and outcome.
    package init(category: UInt8 = 0, outcome: UInt16 = 0) {
        (self.category, self.outcome) = (category, outcome)
    }
}

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
    case notModified = 304

    /// Whether an answer has content, and so a length of it (RFC 9110 sections 8.6, 15.3.5 and 15.4.5).
    package var hasContent: Bool { self != .noContent && self != .notModified }

    /// The status's place among all.
    var ordinal: Int { Self.ordinals[rawValue] }

    /// By status: each answer is counted at its status's place, which no search may slow.
    private static let ordinals = allCases.enumerated().reduce(into: [Int](repeating: 0, count: 600)) {
        $0[$1.element.rawValue] = $1.offset
    }

    /// The reason phrase, as RFC 9110 names the status.
    package var phrase: StaticString {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .notModified: "Not Modified"
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
