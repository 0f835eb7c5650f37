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
        let authorization = request.values(of: "authorization")
        let keys = keyField.map { request.values(of: $0) } ?? []
        // Nobody chooses between two proofs.
        switch (authorization.count, keys.count) {
        case (0, 0): self = .none
        case (1, 0): self = CallerCredentials(authorization: authorization[0])
        case (0, 1): self = .apiKey(keys[0])
        default: self = .unusable
        }
    }

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
