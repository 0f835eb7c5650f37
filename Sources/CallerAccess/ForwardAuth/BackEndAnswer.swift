import StrictJSON

/// How a back end says what it decides.
package enum BackEndForm: String, CaseIterable, Sendable {
    /// By the status; a body may limit what it allows.
    case json
    /// By the status alone.
    case ignore
    /// By a truth value, as Open Policy Agent's Data API does.
    case opa
}

/// A back end's answer, and what it decides.
package struct BackEndAnswer: Sendable {
    private let status: Int
    private let contentTypes: [String]
    private let body: [UInt8]
    private let isWhole: Bool

    /// An answer of this status (RFC 9110 section 15), these Content-Type headers and this body. `isWhole` says whether
    /// its framing proves that nothing was cut off.
    package init(status: Int, contentTypes: [String], body: [UInt8], isWhole: Bool) {
        (self.status, self.contentTypes, self.body, self.isWhole) = (status, contentTypes, body, isWhole)
    }

    /// What a status decides whatever comes with it; nil for one that does not refuse. A service for proxies sends browsers to
    /// its login page.
    package static func refusal(of status: Int, ofLogins hasLogins: Bool = false) -> BackEndDecision? {
        switch status {
        case 401: .unauthenticated
        case 302, 303, 307: hasLogins ? .unauthenticated : nil
        case 403: .denied
        default: nil
        }
    }

    /// What it decides in this form; throws why it decides nothing.
    package func decision(_ form: BackEndForm = .json) throws(BackEndOutage) -> BackEndDecision {
        if let refusal = Self.refusal(of: status) { return refusal }
        guard (200...299).contains(status) else {
            throw BackEndOutage(
                "the back end answered with the status \(status); expected 2xx, 401 or 403",
                health: status >= 500 ? .failing : .answering)
        }
        if form == .ignore { return .allowed(principal: nil, lifetime: nil) }
        guard contentTypes.count <= 1 else { throw mistyped("several Content-Type headers; expected one at most") }
        // A body may withdraw or narrow what the status allows. That of a web page is a wrong URL's, not a permission.
        if body.isEmpty, form == .json {
            guard isWhole else { throw Self.cut }
            return .allowed(principal: nil, lifetime: nil)
        }
        guard isJSON else {
            throw mistyped("a body that is not called application/json; expected that type or no body")
        }
        return form == .opa ? try policyResult() : try allowance()
    }

    /// Open Policy Agent answers without a result where no rule defines one, which allows nothing.
    private func policyResult() throws(BackEndOutage) -> BackEndDecision {
        guard case .object(let members)? = try? JSONValue(parsing: body) else {
            throw malformed("is not a JSON object", expected: Self.policyForm)
        }
        switch members["result"] {
        case .bool(true): return .allowed(principal: nil, lifetime: nil)
        case nil: return .undefined
        case .bool(false): return .denied
        default: throw malformed("has a result that is not true or false", expected: Self.policyForm)
        }
    }

    private static let policyForm = "an object with result: true or false"

    /// `application/json` or another type of JSON's structure (RFC 6839 section 3.1), parameters apart.
    private var isJSON: Bool {
        guard let type = contentTypes.first?.mediaType else { return false }
        return type == "application/json" || type.hasSuffix("+json")
    }

    /// Only these two members are accepted: a back end that answers 200 with `{"allow": false}` does not mean to allow.
    private func allowance() throws(BackEndOutage) -> BackEndDecision {
        guard case .object(let members)? = try? JSONValue(parsing: body) else {
            throw malformed("is not a JSON object")
        }
        guard members.names.allSatisfy({ $0 == "principal" || $0 == "lifetime" }) else {
            throw malformed("has other members")
        }
        return .allowed(principal: try principal(members["principal"]), lifetime: try lifetime(members["lifetime"]))
    }

    private func principal(_ value: JSONValue?) throws(BackEndOutage) -> String? {
        guard let value else { return nil }
        guard case .string(let name) = value, (1...Principal.maxNameBytes).contains(name.utf8.count) else {
            throw malformed("has a principal that is not a text of 1 to \(Principal.maxNameBytes) bytes")
        }
        return name
    }

    private func lifetime(_ value: JSONValue?) throws(BackEndOutage) -> Int64? {
        guard let value else { return nil }
        guard case .integer(let seconds) = value, seconds >= 1 else {
            throw malformed("has a lifetime that is not a whole number of seconds from 1")
        }
        return seconds
    }

    /// Who cuts the connection after the headers must not make an allowance without limits of a narrower one.
    private static let cut = BackEndOutage(
        "the back end's answer ends with its headers, so a body may be cut off; expected Content-Length: 0, status 204 or chunks",
        health: .failing)

    private func mistyped(_ what: String) -> BackEndOutage {
        BackEndOutage("the back end answered \(status) with \(what)", health: .answering)
    }

    private func malformed(
        _ what: String, expected: String = "none, or an object of principal and lifetime"
    ) -> BackEndOutage {
        mistyped("a body that \(what); expected \(expected)")
    }
}
