import FleetEngineToken
import HTTPServer

/// The result of a request: a token, or one of the problems.
package enum RequestOutcome: Int, CaseIterable, Sendable {
    /// An answer without a token that reports no problem.
    case answered
    /// A cached token.
    case reused
    /// A token that was signed for the request.
    case minted
    case unknownPath, unknownKind, methodNotAllowed, originNotAllowed
    case missingID, invalidID, repeatedParameter, conflictingParameters, foreignParameter, unknownParameter
    case emptyParameter, invalidFormat, invalidExpiration, kindOff
    case unauthenticated, invalidCredentials, notAllowed, callerRequired, checkUnavailable
    case addressLimited, principalLimited, failuresLimited
    case auditUnavailable, signingUnavailable
    case reloadFieldMissing, consoleHeaderMissing, hostNotAllowed

    /// Its row in the table; nil if there was no problem.
    package var row: ProblemRow? { Self.rows[self] }

    /// The stable code of a problem, as metrics name it; empty if there was none.
    package var code: String { row?.code ?? "" }

    /// What to do about the problem with this code; nil if the code is not known.
    package static func cure(of code: String) -> String? { cures[code] ?? cureOfKind(code) }

    private static let cures = Dictionary(
        (Array(rows.values) + RequestRejection.allCases.map(\.row)).map { ($0.code, $0.cure) }
    ) { first, _ in first }

    private static let crossOrigin =
        "Web pages of other origins cannot request this; expected the header Token-Provider-Request with the last "
        + "part of the path."
    private static let limited = ProblemRow(
        "too_many_requests", .tooManyRequests,
        "There are too many requests; try again after the seconds of Retry-After.",
        cure: "wait for Retry-After; behind proxies set proxies; else raise limits")

    /// The one table of problems: code, status, sentence and cure.
    private static let rows: [RequestOutcome: ProblemRow] = [
        .unknownPath: ProblemRow(
            "unknown_path", .notFound, "There is nothing at this path; expected {}.", cure: "ask at /token"),
        .unknownKind: ProblemRow(
            "unknown_kind", .notFound,
            "The path names no kind of token; expected /token/KIND/ID, or /token/KIND where the kind names no id, with "
                + "one of {}.",
            cure: "correct the kind"),
        .methodNotAllowed: ProblemRow(
            "method_not_allowed", .methodNotAllowed, "The method is not allowed at this path; expected {}.",
            cure: "use a method that Allow lists"),
        .originNotAllowed: ProblemRow(
            "origin_not_allowed", .forbidden,
            "Web pages of this origin are not allowed; expected an origin in cors.allowed_origins.",
            cure: "list its origin in cors.allowed_origins"),
        .missingID: ProblemRow(
            "missing_id", .badRequest, "The {}; expected {}.", cure: "name one id, such as tripID=ID"),
        .invalidID: ProblemRow(
            "invalid_id", .badRequest, "{}: {}.", cure: "send the id that Fleet Engine knows, percent-encoded"),
        .repeatedParameter: ProblemRow(
            "repeated_parameter", .badRequest, "The request has {} more than once; expected it once.",
            cure: "send it once"),
        .conflictingParameters: ProblemRow(
            "conflicting_parameters", .badRequest,
            "The request has both {} and {}; expected one of them, since no token is for both.",
            cure: "send one of them"),
        .foreignParameter: ProblemRow(
            "foreign_parameter", .badRequest, "A token of the kind {} is not for {}; expected {}.",
            cure: "ask at the path of the id's kind"),
        .unknownParameter: ProblemRow(
            "unknown_parameter", .badRequest, "The query parameter \"{}\" is not known; expected one of {}.",
            cure: "correct its name, or add a gateway's own to request.ignored_parameters"),
        .emptyParameter: ProblemRow(
            "empty_parameter", .badRequest, "The query has a parameter without a name; expected NAME=VALUE.",
            cure: "send NAME=VALUE"),
        .invalidFormat: ProblemRow(
            "invalid_format", .badRequest, "format: expected one of {}.", cure: "correct the format, or leave it out"),
        .invalidExpiration: ProblemRow(
            "invalid_expiration", .badRequest, "expiration: {}.",
            cure: "send absolute or relative, and only with the format sdk"),
        // Clients get the setting that is missing instead, which names the kind; in metrics the kind is a label of its own.
        .kindOff: ProblemRow(
            "kind_off", .notFound, "The kind {} is not served here; {}.", cure: "turn the kind on, or ask for another"),
        .unauthenticated: ProblemRow(
            "unauthenticated", .unauthorized,
            "The request does not say who is calling; expected Authorization: Bearer.",
            cure: "send Authorization: Bearer with a token or an API key"),
        .invalidCredentials: ProblemRow(
            "invalid_credentials", .unauthorized,
            "The credentials are not accepted; expected ones that are valid now.",
            cure: "fetch new ones; token-provider explain says what is wrong"),
        .notAllowed: ProblemRow(
            "not_allowed", .forbidden, "This caller may not have this token.",
            cure: "run token-provider explain; add a rule that allows this token"),
        .callerRequired: ProblemRow(
            "caller_required", .forbidden,
            "Tokens of the kind {} open the whole fleet; expected an authenticated caller and a rule for them.",
            cure: "configure callers, and a rule that names the kind"),
        .checkUnavailable: ProblemRow(
            "caller_check_unavailable", .serviceUnavailable,
            "Callers cannot be checked at the moment; try again later.",
            cure: "let the daemon reach the issuer and the back end"),
        .addressLimited: limited, .principalLimited: limited, .failuresLimited: limited,
        .auditUnavailable: ProblemRow(
            "audit_unavailable", .serviceUnavailable, "No token can be handed out at the moment; try again later.",
            cure: "free space; the log says what failed"),
        .signingUnavailable: ProblemRow(
            "signing_unavailable", .serviceUnavailable, "No token can be signed at the moment; try again later.",
            cure: "look at /readyz and at the log; replace the key"),
        .reloadFieldMissing: ProblemRow(
            "reload_field_missing", .forbidden, crossOrigin,
            cure: "use token-provider reload"),
        .consoleHeaderMissing: ProblemRow(
            "console_header_missing", .forbidden, crossOrigin,
            cure: "ask on the page itself"),
        .hostNotAllowed: ProblemRow(
            "host_not_allowed", .forbidden,
            "The Host is not known here; expected an address, localhost or one of admin.allowed_hosts.",
            cure: "ask by an address or localhost, or add the name to admin.allowed_hosts"),
    ]

    /// A kind that is not served has codes that name the setting which turns it on.
    private static func cureOfKind(_ code: String) -> String? {
        for kind in TokenKind.allCases {
            switch code {
            case TokenProblem.kindOff(kind, .key).code: return "set kinds.\(kind.rawValue).credentials"
            case TokenProblem.kindOff(kind, .listing).code:
                return "add \(kind.rawValue) to kinds.enabled"
            default: continue
            }
        }
        return nil
    }
}
