internal import FleetEngineToken

/// A back end's answer, and what it decides.
public struct BackEndAnswer: Sendable {
    /// Bytes of UTF-8 that the name of a principal may have.
    public static let principalBytes = 1...256

    private let status: Int
    private let contentType: String?
    private let body: [UInt8]

    /// An answer of this status (RFC 9110 section 15), media type and body.
    public init(status: Int, contentType: String?, body: [UInt8]) {
        (self.status, self.contentType, self.body) = (status, contentType, body)
    }

    /// What it decides; throws why it decides nothing.
    public func decision() throws(BackEndOutage) -> BackEndDecision {
        switch status {
        case 200...299: return isJSON && !body.isEmpty ? try allowance() : .allowed(principal: nil, lifetime: nil)
        case 401: return .unauthenticated
        case 403: return .denied
        default:
            throw BackEndOutage(
                "the back end answered with the status \(status); expected 2xx, 401 or 403",
                health: status >= 500 ? .failing : .answering)
        }
    }

    /// `application/json` or another type of JSON's structure (RFC 6839 section 3.1), parameters apart.
    private var isJSON: Bool {
        guard let type = contentType?.split(separator: ";", omittingEmptySubsequences: false).first else {
            return false
        }
        let essence = type.lowercased().filter { $0 != " " && $0 != "\t" }
        return essence == "application/json" || essence.hasSuffix("+json")
    }

    /// Nothing but the two members is taken: whoever answers 200 with `{"allow": false}` does not mean that it allows.
    private func allowance() throws(BackEndOutage) -> BackEndDecision {
        guard case .object(let members)? = try? JSONValue(parsing: body) else {
            throw malformed("is no JSON object")
        }
        guard members.names.allSatisfy({ $0 == "principal" || $0 == "lifetime" }) else {
            throw malformed("has other members")
        }
        return .allowed(principal: try principal(members["principal"]), lifetime: try lifetime(members["lifetime"]))
    }

    private func principal(_ value: JSONValue?) throws(BackEndOutage) -> String? {
        guard let value else { return nil }
        guard case .string(let name) = value, Self.principalBytes.contains(name.utf8.count) else {
            throw malformed("has a principal that is no text of 1 to \(Self.principalBytes.upperBound) bytes")
        }
        return name
    }

    private func lifetime(_ value: JSONValue?) throws(BackEndOutage) -> Int64? {
        guard let value else { return nil }
        guard case .integer(let seconds) = value, seconds >= 1 else {
            throw malformed("has a lifetime that is no whole number of seconds from 1")
        }
        return seconds
    }

    private func malformed(_ what: String) -> BackEndOutage {
        BackEndOutage(
            "the back end allowed with a body that \(what); expected none, or an object of principal and lifetime",
            health: .answering)
    }
}
