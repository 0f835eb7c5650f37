import FleetEngineToken

/// What to do about each error of token-provider, by its code. API.md has the same table.
enum ErrorCures {
    /// Nil for a code of another version.
    static func cure(of code: String) -> String? { cures[code] ?? cureOfKind(code) }

    /// The codes of a kind that is not served name the setting that turns it on.
    private static func cureOfKind(_ code: String) -> String? {
        for kind in TokenKind.allCases.map(\.rawValue) {
            if code == "kinds.\(kind).credentials_unset" { return "set kinds.\(kind).credentials" }
            if code == "kinds.enabled_without_\(kind)" {
                return "add \(kind) to kinds.enabled, if the kind is meant to be served"
            }
        }
        return nil
    }

    private static let cures = requests.merging(callers) { $1 }.merging(connections) { $1 }

    private static let requests = [
        "missing_id": "name one id, such as tripID=ID",
        "invalid_id": "send the id that Fleet Engine knows, percent-encoded",
        "repeated_parameter": "send each parameter once",
        "conflicting_parameters": "send one of the two ids",
        "foreign_parameter": "ask at the path of the kind that the id is for",
        "unknown_parameter": "correct the parameter's name, or add a gateway's own to request.ignored_parameters",
        "empty_parameter": "send NAME=VALUE",
        "invalid_format": "correct the format, or leave it out",
        "invalid_expiration": "send expiration=absolute or expiration=relative, and only with the format sdk",
        "unknown_path": "ask at /token",
        "unknown_kind": "correct the kind in the path",
        "method_not_allowed": "use a method that the answer's header Allow lists",
        "origin_not_allowed": "add the origin of the web page to cors.allowed_origins",
        "reload_field_missing": "use token-provider reload, or send the header Token-Provider-Request: reload",
        "console_header_missing": "ask on the page itself, or with token-provider inspect or explain",
        "host_not_allowed": "ask by an address or localhost, or add the name to admin.allowed_hosts",
        "signing_unavailable": "look at signing in /readyz and at the log, and replace the key",
    ]

    private static let callers = [
        "unauthenticated": "send Authorization: Bearer and the caller's token or API key",
        "invalid_credentials": "fetch new credentials; token-provider explain says what is wrong with these",
        "not_allowed":
            "run token-provider explain with the caller's credentials, and add a rule that allows this token",
        "caller_required": "configure callers, and a rule that names the kind",
        "too_many_requests": "wait for the seconds in Retry-After; behind a proxy set proxies, else raise limits",
        "caller_check_unavailable": "make sure that the daemon reaches the identity provider and the back end",
        "audit_unavailable": "make space for the audit log; the daemon's log says what failed",
    ]

    private static let connections = [
        "malformed_request_line": "correct the client, or the proxy between it and the daemon",
        "malformed_target": "percent-encode the path and the query",
        "malformed_field": "correct the client's headers",
        "missing_host": "send one Host header",
        "malformed_host": "send one Host header",
        "conflicting_length": "send one length, or no body",
        "malformed_length": "send one length, or no body",
        "plain_request": "use an https URL",
        "head_timeout": "send the request again; on slow networks raise http.header_timeout",
        "target_too_long": "shorten the path and the query",
        "unknown_expectation": "remove the header Expect",
        "fields_too_large": "send fewer or shorter headers, such as cookies, or raise the limits in http",
        "unknown_method": "use GET",
        "unknown_transfer_coding": "send no body",
        "too_many_connections": "keep connections alive, raise http.max_connections, or add replicas",
        "answer_abandoned": "send the request again, and report it with the daemon's log",
        "unsupported_version": "use HTTP/1.1; unencrypted HTTP/2 needs h2c or http2.prior_knowledge",
    ]
}
