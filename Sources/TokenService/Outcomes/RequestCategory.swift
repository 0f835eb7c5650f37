import CallerAccess
import FleetEngineToken
import HTTPServer

/// The route of a request and the kind of its token, as metrics count them.
package struct RequestCategory: Hashable, Sendable {
    /// Labels of metrics.
    package typealias Labels = (route: String, kind: String)

    private static let query: UInt8 = 3
    private static let path: UInt8 = 14
    private static let count = 25

    /// The number by which answers are counted.
    package let number: UInt8

    private init(_ number: UInt8) { self.number = number }

    /// The server refused it before any route saw it.
    package static let none = RequestCategory(0)
    /// `/healthz`.
    package static let health = RequestCategory(1)
    /// An unknown path.
    package static let other = RequestCategory(2)

    /// `/token`, for a kind if it is known.
    package static func query(_ kind: TokenKind?) -> RequestCategory { RequestCategory(query + place(kind)) }

    /// `/token/{kind}/{id}`, or `/token/{kind}` where the kind names no id, for a kind if it is known.
    package static func path(_ kind: TokenKind?) -> RequestCategory { RequestCategory(path + place(kind)) }

    /// A token of this kind, by its path or by `/token`.
    @inline(__always)
    package init(isPath: Bool, _ kind: TokenKind) {
        number = UInt8(truncatingIfNeeded: kind.ordinal) &+ 1 &+ (isPath ? Self.path : Self.query)
    }

    private static func place(_ kind: TokenKind?) -> UInt8 { kind.map { UInt8($0.ordinal + 1) } ?? 0 }

    /// All of them.
    package static let all = (0..<UInt8(count)).map { RequestCategory($0) }

    /// Its labels in metrics.
    package var labels: Labels {
        switch number {
        case 0: ("none", "none")
        case 1: (OpenPath.health.rawValue, "none")
        case 2: ("other", "none")
        case ..<RequestCategory.path:
            (ServicePath.token, RequestCategory.kind(number - RequestCategory.query)?.rawValue ?? "none")
        default: RequestCategory.labels(ofPath: RequestCategory.kind(number - RequestCategory.path))
        }
    }

    private static func labels(ofPath kind: TokenKind?) -> Labels {
        let hasID = kind.map { !$0.isWildcard } ?? true
        return ("\(ServicePath.token)/{kind}\(hasID ? "/{id}" : "")", kind?.rawValue ?? "none")
    }

    private static func kind(_ place: UInt8) -> TokenKind? { place == 0 ? nil : TokenKind.allCases[Int(place) - 1] }
}

/// The numbers by which the server counts this program's answers.
extension AnswerTally {
    /// Outcomes of one credential type: those of routes, then those of requests that the server itself refuses.
    private static let outcomeBits = 6
    private static let firstRejection = RequestOutcome.allCases.count

    /// An answer of a route.
    @inline(__always)
    package init(_ category: RequestCategory, _ outcome: RequestOutcome, by credentials: CredentialType = .none) {
        self.init(category: category.number, outcome: UInt16(truncatingIfNeeded: Self.index(outcome, by: credentials)))
    }

    /// A request that the server itself refuses.
    package init(_ rejection: RequestRejection) {
        self.init(
            category: RequestCategory.none.number, outcome: UInt16(truncatingIfNeeded: Self.index(of: rejection)))
    }

    /// The number of an outcome.
    @inline(__always)
    package static func index(_ outcome: RequestOutcome, by credentials: CredentialType) -> Int {
        credentials.rawValue << outcomeBits | outcome.rawValue
    }

    /// The number of a rejection.
    package static func index(of rejection: RequestRejection) -> Int {
        firstRejection + (RequestRejection.allCases.firstIndex(of: rejection) ?? 0)
    }
}

/// Paths as clients send them, and as the access log and metrics name routes.
package enum ServicePath {
    /// Token requests: this path, and everything below it.
    static let token = "/token"
}

/// The paths that need no credentials; none of them can return a token.
enum OpenPath: String, CaseIterable {
    case health = "/healthz"

    /// Nil for every other path.
    init?(_ request: borrowing HTTPRequest) {
        guard request.hasPath("/healthz") else { return nil }
        self = .health
    }
}

/// The paths of the admin listener.
package enum AdminPath: String, CaseIterable {
    case health = "/healthz"
    case readiness = "/readyz"
    case metrics = "/metrics"
    case version = "/version"
    case keys = "/.well-known/jwks.json"
    case reload = "/reload"

    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The type of a caller's credentials, valid or not, as metrics name it: the methods of authentication, in their
/// order, and `other`.
package enum CredentialType: Int, CaseIterable, Sendable {
    /// No credentials, or callers are not authenticated.
    case none
    /// A token of an identity provider.
    case token
    case apiKey
    case certificate
    /// The decision of the company's back end.
    case forwardAuth
    /// A scheme that is not known here, or two credentials at once.
    case other

    /// What authenticated a caller.
    @inline(__always)
    package init(_ method: Principal.AuthenticationMethod) {
        self = CredentialType(rawValue: method.rawValue) ?? .other
    }

    /// The value of the label.
    package var label: String { ["none", "token", "api_key", "certificate", "forward_auth", "other"][rawValue] }
}
