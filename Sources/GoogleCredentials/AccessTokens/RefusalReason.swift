import StrictJSON

/// Why an endpoint refused: an OAuth 2.0 error (RFC 6749 section 5.2), or an error of Google's APIs (AIP-193) or of AWS's.
struct RefusalReason: Hashable, Sendable {
    /// The codes and the description, without secrets.
    let parts: [String]
    /// Whether the code says that another try may succeed.
    let isTransient: Bool

    private static let transientCodes = ["server_error", "temporarily_unavailable", "internal_failure"]

    /// Nil if the body is neither.
    init?(_ body: [UInt8], hiding secrets: [Secret]) {
        guard body.count <= TokenAnswer.maxBytes, case .object(let members)? = try? JSONValue(parsing: body) else {
            return nil
        }
        let parts: [JSONValue?]
        switch members["error"] ?? members["Error"] {
        case .string(let code): parts = [.string(code), members["error_description"]]
        case .object(let error):
            parts = [
                error["status"] ?? error["Code"], Self.reason(error["details"]), error["message"] ?? error["Message"],
            ]
        default: return nil
        }
        let texts = parts.compactMap { part in
            if case .string(let text)? = part, !text.isEmpty { text } else { nil as String? }
        }
        guard !texts.isEmpty else { return nil }
        self.parts = texts.map { ReceivedText.bare($0, hiding: secrets) }
        isTransient = Self.transientCodes.contains { $0.hasSameBytes(as: texts[0]) }
    }

    /// All parts, for a sentence.
    var text: String { parts.joined(separator: ": ") }

    /// The reason in `google.rpc.ErrorInfo`, such as `IAM_PERMISSION_DENIED`.
    private static func reason(_ details: JSONValue?) -> JSONValue? {
        guard case .array(let details)? = details else { return nil }
        return details.lazy.compactMap { detail in
            if case .object(let members) = detail { members["reason"] } else { nil }
        }.first
    }
}
