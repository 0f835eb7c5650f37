import CallerAccess
import HTTPServer

/// The credentials of a request.
package enum CallerCredentials: Equatable {
    /// No credentials.
    case none
    /// A JWT of an identity provider.
    case token([UInt8])
    /// The key of a server.
    case apiKey([UInt8])
    /// The connection's client certificate, and no credentials in the request.
    case certificate(CertificateCaller)
    /// An authentication scheme that is not known here.
    case foreign
    /// Credentials that authenticate no client: two at once, or a scheme without a token.
    case unusable

    /// Reads `Authorization` (RFC 6750 section 2.1) and the header of API keys, if one is configured. The connection's
    /// certificate counts only for requests without credentials: a proxy may send requests of several callers over one
    /// connection.
    package init(_ request: borrowing HTTPRequest, keyField: [UInt8]?) {
        let authorization = request.occurrence(of: Self.authorization) { CallerCredentials(authorization: $0) }
        let key: FieldOccurrence<[UInt8]> =
            keyField.map { request.occurrence(of: $0) { Self.bytes($0, from: 0) } } ?? .none
        self.init(authorization: authorization, key: key)
        if case .none = self, let caller = request.peerIdentity as? CertificateCaller { self = .certificate(caller) }
    }

    /// The credentials in a request's two headers; both at once are unusable.
    package init(authorization: FieldOccurrence<CallerCredentials>, key: FieldOccurrence<[UInt8]>) {
        switch (authorization, key) {
        case (.none, .none): self = .none
        case (.once(let credentials), .none): self = credentials
        case (.none, .once(let key)): self = .apiKey(key)
        default: self = .unusable
        }
    }

    private static let authorization = Array("authorization".utf8)
    private static let scheme = Array("bearer".utf8)

    /// `Bearer`, in any case, and a token after one space or more.
    package init(authorization value: Span<UInt8>) {
        var start = 0
        while start < value.count, start < Self.scheme.count, value[start] | 0x20 == Self.scheme[start] { start += 1 }
        let isBearer = start == Self.scheme.count
        let schemeEnd = start
        while start < value.count, value[start] == UInt8(ascii: " ") { start += 1 }
        let hasToken = start > schemeEnd && start < value.count
        guard isBearer, hasToken || schemeEnd == value.count else {
            self = .foreign
            return
        }
        guard hasToken else {
            self = .unusable
            return
        }
        self.init(token: Self.bytes(value, from: start))
    }

    private static func bytes(_ value: Span<UInt8>, from start: Int) -> [UInt8] {
        value.extracting(start...).withUnsafeBufferPointer { Array($0) }
    }

    /// Credentials as a person copies them: a token with blanks around it, alone, after `Bearer`, or as the whole header.
    package init(pasted text: [UInt8]) {
        var rest = Self.trimmed(text[...])
        let name = rest.prefix(Self.authorization.count + 1).map { $0 | 0x20 }
        if name == Self.authorization + [UInt8(ascii: ":")] { rest = Self.trimmed(rest.dropFirst(name.count)) }
        self.init(authorization: Array(rest).span)
        if self == .foreign { self.init(token: Array(rest)) }
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let last = text.lastIndex(where: { $0 > 0x20 }) else {
            return []
        }
        return text[first...last]
    }

    /// A bearer token, or an API key that was sent as one.
    package init(token: [UInt8]) {
        self = APIKey.looksLikeOne(token) ? .apiKey(token) : .token(token)
    }
}

extension CredentialType {
    /// The type of a request's credentials.
    package init(_ credentials: CallerCredentials) {
        self =
            switch credentials {
            case .none: .none
            case .token: .token
            case .apiKey: .apiKey
            case .certificate: .certificate
            case .foreign, .unusable: .other
            }
    }
}
