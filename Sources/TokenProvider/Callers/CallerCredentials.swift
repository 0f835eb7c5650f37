import CallerAccess
import HTTPServer

/// What a request shows to prove who is calling.
enum CallerCredentials: Equatable {
    /// Nothing.
    case none
    /// A JWT of an identity provider.
    case token([UInt8])
    /// The key of a server.
    case apiKey([UInt8])
    /// Something that proves nothing, whoever shows it: another scheme, or two of them.
    case unusable

    /// Looks into `Authorization` (RFC 6750 section 2.1) and, where one is configured, the field of API keys.
    init(_ request: borrowing HTTPRequest, keyField: [UInt8]?) {
        // A field that is there twice counts as none: nobody chooses between two proofs.
        let authorization = request.withField("authorization") { CallerCredentials.bytes($0) }
        let key = keyField.flatMap { name in request.withField(name) { CallerCredentials.bytes($0) } }
        switch (authorization, key) {
        case (nil, nil): self = .none
        case (let value?, nil): self = CallerCredentials(authorization: value)
        case (nil, let key?): self = .apiKey(key)
        case (.some, .some): self = .unusable
        }
    }

    private static func bytes(_ value: Span<UInt8>) -> [UInt8] { value.withUnsafeBytes { Array($0) } }

    /// `Bearer`, in either case, and a token behind one space or more.
    init(authorization value: [UInt8]) {
        let scheme = value.prefix { $0 != UInt8(ascii: " ") }
        let isBearer = scheme.elementsEqual("bearer".utf8) { $0 | 0x20 == $1 }
        let token = Array(value[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") })
        guard isBearer, !token.isEmpty else {
            self = .unusable
            return
        }
        self.init(token: token)
    }

    /// What a bearer token is.
    init(token: [UInt8]) {
        self = APIKey.looksLikeOne(token) ? .apiKey(token) : .token(token)
    }
}
