import StrictJSON

/// A back end's answer, and what it decides.
package struct BackEndAnswer: Sendable {
    /// Bytes of UTF-8 that the name of a principal may have.
    package static let principalBytes = 1...256

    private let status: Int
    private let contentTypes: [String]
    private let body: [UInt8]

    /// An answer of this status (RFC 9110 section 15), these Content-Type headers and this body.
    package init(status: Int, contentTypes: [String], body: [UInt8]) {
        (self.status, self.contentTypes, self.body) = (status, contentTypes, body)
    }

    /// What a status decides whatever comes with it; nil for one that does not refuse.
    package static func refusal(of status: Int) -> BackEndDecision? {
        switch status {
        case 401: .unauthenticated
        case 403: .denied
        default: nil
        }
    }

    /// What it decides; throws why it decides nothing.
    package func decision() throws(BackEndOutage) -> BackEndDecision {
        if let refusal = Self.refusal(of: status) { return refusal }
        guard (200...299).contains(status) else {
            throw BackEndOutage(
                "the back end answered with the status \(status); expected 2xx, 401 or 403",
                health: status >= 500 ? .failing : .answering)
        }
        guard contentTypes.count <= 1 else { throw mistyped("several Content-Type headers; expected one at most") }
        if isJSON, !body.isEmpty { return try allowance() }
        // The body may withdraw or narrow what the status allows, so it is not ignored because of its type.
        guard !mayBeJSON else {
            throw mistyped("a body that may be JSON but has no such type; expected Content-Type: application/json")
        }
        return .allowed(principal: nil, lifetime: nil)
    }

    /// `application/json` or another type of JSON's structure (RFC 6839 section 3.1), parameters apart.
    private var isJSON: Bool {
        guard let type = contentTypes.first?.split(separator: ";", omittingEmptySubsequences: false).first else {
            return false
        }
        let essence = type.lowercased().filter { $0 != " " && $0 != "\t" }
        return essence == "application/json" || essence.hasSuffix("+json")
    }

    /// Whether it is a value of JSON, begins like an object or an array after blanks and a byte order mark, or is text of
    /// another encoding, in which it could be anything.
    private var mayBeJSON: Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = body.starts(with: mark) ? Array(body.dropFirst(mark.count)) : body
        let first = text.first { $0 > 0x20 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return true }
        return text.contains(0) || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
            || (try? JSONValue(parsing: text)) != nil
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
        guard case .string(let name) = value, Self.principalBytes.contains(name.utf8.count) else {
            throw malformed("has a principal that is not a text of 1 to \(Self.principalBytes.upperBound) bytes")
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

    private func mistyped(_ what: String) -> BackEndOutage {
        BackEndOutage("the back end allowed with \(what)", health: .answering)
    }

    private func malformed(_ what: String) -> BackEndOutage {
        BackEndOutage(
            "the back end allowed with a body that \(what); expected none, or an object of principal and lifetime",
            health: .answering)
    }
}
