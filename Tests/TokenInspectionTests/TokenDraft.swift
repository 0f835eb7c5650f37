@testable import StrictJSON
@testable import FleetEngineToken
import TokenInspection

/// A token in the making, healthy unless changed: a consumer token for the trip "t-1", five minutes old.
struct TokenDraft {
    static let now: Int64 = 1_700_000_000
    static let account = "rider@some-project.iam.gserviceaccount.com"

    /// Names and values as JSON.
    var header = ["alg": #""RS256""#, "typ": #""JWT""#, "kid": #""0123456789abcdef""#]
    /// Names and values as JSON.
    var claims = [
        "iss": "\"\(account)\"", "sub": "\"\(account)\"", "aud": #""https://fleetengine.googleapis.com/""#,
        "iat": "\(now - 300)", "exp": "\(now + 3300)", "authorization": #"{"tripid":"t-1"}"#,
    ]
    var signature = [UInt8](repeating: 7, count: 256)

    /// A draft with changes.
    init(_ change: (inout TokenDraft) -> Void = { _ in }) {
        change(&self)
    }

    /// The healthy token with other claims in `authorization`.
    init(authorization: String) {
        claims["authorization"] = authorization
    }

    var token: String { Self.join(Self.json(header), Self.json(claims), signature) }

    /// A token of these parts, whatever they are.
    static func join(_ header: String, _ payload: String, _ signature: [UInt8] = [UInt8](repeating: 7, count: 256))
        -> String
    {
        [Array(header.utf8), Array(payload.utf8), signature]
            .map { String(decoding: Base64URL.encode($0), as: UTF8.self) }.joined(separator: ".")
    }

    static func json(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}

/// A pasted text, inspected.
func inspect(_ text: String, at now: Int64 = TokenDraft.now) -> InspectedToken {
    let cures = [
        "invalid_id": "send the id that Fleet Engine knows, percent-encoded",
        "not_allowed":
            "run token-provider explain; add a rule that allows this token",
        "kinds.server.credentials_unset": "set kinds.server.credentials",
    ]
    return InspectedToken(of: Array(text.utf8), at: now) { cures[$0] }
}

extension InspectedToken {
    /// Every finding as `severity code: problem`.
    var lines: [String] { findings.map { "\($0.severity.rawValue) \($0.code): \($0.problem)" } }
}
