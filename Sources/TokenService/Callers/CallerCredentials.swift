import CallerAccess
import HTTPServer
import ServiceConfiguration

/// The credentials of a request.
package enum CallerCredentials: Equatable {
    /// No credentials.
    case none
    /// A JWT of an identity provider.
    case token([UInt8], in: TokenPlace = .authorization)
    /// The key of a server.
    case apiKey([UInt8])
    /// The connection's client certificate, and no credentials in the request.
    case certificate(CertificateCaller)
    /// An authentication scheme that is not known here.
    case foreign
    /// Credentials that authenticate no client, and why: a sentence.
    case unusable(String)

    /// Reads `Authorization` (RFC 6750 section 2.1) and the configured headers. The connection's certificate counts only for
    /// requests without credentials: a proxy may send requests of several callers over one connection.
    package init(_ request: borrowing HTTPRequest, in fields: CredentialFields) {
        var found = request.occurrence(of: Self.authorization) { CallerCredentials(authorization: $0) }
        for field in fields.others {
            found.add(request.occurrence(of: field.name) { field.credentials(Self.bytes($0, from: 0)) })
        }
        var names: [String] = []
        if case .repeated = found {
            for name in fields.names where !request.values(of: Array(name.utf8)).isEmpty { names.append(name) }
        }
        self.init(found, in: names)
        if case .none = self, let caller = request.peerIdentity as? CertificateCaller { self = .certificate(caller) }
    }

    /// The credentials that all headers of a request have; several at once, in the headers of these names, are unusable.
    package init(_ found: FieldOccurrence<CallerCredentials>, in names: [String]) {
        switch found {
        case .none: self = .none
        case .once(let credentials): self = credentials
        case .repeated where names.count == 1:
            self = .unusable("the header \(names[0]) has credentials more than once; expected it once")
        case .repeated:
            self = .unusable("credentials are in \(names.joined(separator: " and ")); expected them in one header")
        }
    }

    /// Without their bytes.
    var typeAlone: CallerCredentials {
        switch self {
        case .token(_, let place): .token([], in: place)
        case .apiKey: .apiKey([])
        case .none, .certificate, .foreign, .unusable: self
        }
    }

    fileprivate static let authorization = Array("authorization".utf8)
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
            self = .unusable("the header authorization has no token; expected Bearer TOKEN")
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
        if case .token(let token, _) = self { self = .token(token, in: .anywhere) }
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

/// The headers that have credentials beside `Authorization`.
package struct CredentialFields: Sendable {
    struct Field: Sendable {
        /// In lower case.
        let name: [UInt8]
        /// Nil for an API key.
        let place: TokenPlace?

        func credentials(_ value: [UInt8]) -> CallerCredentials {
            place.map { .token(value, in: $0) } ?? .apiKey(value)
        }
    }

    /// Few enough to be looked for one by one.
    let others: [Field]

    /// The header of API keys, if there is one, and those of issuers' tokens, in lower case.
    package init(key: String?, tokens: [String] = []) {
        let names = tokens.enumerated().filter { !tokens.prefix($0.offset).contains($0.element) }.map(\.element)
        others =
            [key].compactMap(\.self).map { Field(name: Array($0.lowercased().utf8), place: nil) }
            + names.map { Field(name: Array($0.utf8), place: .header($0)) }
    }

    /// The headers of a configuration.
    package init(_ values: Configuration) {
        self.init(key: values.apiKeys.header, tokens: values.issuers.compactMap(\.policy.header))
    }

    /// The credentials in the header of this name, in lower case, if it has this value; nil if it has none.
    package func credentials(_ name: String, _ value: [UInt8]) -> CallerCredentials? {
        others.first { $0.name.elementsEqual(name.utf8) }?.credentials(value)
    }

    /// The names of all headers of credentials, in lower case.
    package var names: [String] {
        ([CallerCredentials.authorization] + others.map(\.name)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension FieldOccurrence<CallerCredentials> {
    /// Adds what another header has.
    package mutating func add(_ other: Self) {
        switch (self, other) {
        case (_, .none): break
        case (.none, _): self = other
        default: self = .repeated
        }
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
