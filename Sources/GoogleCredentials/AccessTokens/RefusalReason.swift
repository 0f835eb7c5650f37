import StrictJSON

/// Why an endpoint refused: an OAuth 2.0 error (RFC 6749 section 5.2) or an error of Google's APIs (AIP-193).
struct RefusalReason: Hashable, Sendable {
    /// The codes and the description, without secrets.
    let parts: [String]
    /// Whether the code says that another try may succeed.
    let isTransient: Bool

    private static let maxCharacters = 128
    /// So many bytes in a row of a secret are taken for the secret.
    private static let revealing = 8
    private static let transientCodes = ["server_error", "temporarily_unavailable", "internal_failure"]

    /// Nil if the body is neither.
    init?(_ body: [UInt8], hiding secrets: [Secret]) {
        guard body.count <= TokenAnswer.maxBytes, case .object(let members)? = try? JSONValue(parsing: body) else {
            return nil
        }
        let parts: [JSONValue?]
        switch members["error"] {
        case .string(let code): parts = [.string(code), members["error_description"]]
        case .object(let error): parts = [error["status"], Self.reason(error["details"]), error["message"]]
        default: return nil
        }
        let texts = parts.compactMap { part in
            if case .string(let text)? = part, !text.isEmpty { text } else { nil as String? }
        }
        guard !texts.isEmpty else { return nil }
        self.parts = texts.map { Self.shown($0, hiding: secrets) }
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

    /// The text escaped and cut; nothing of it if it holds a part of a secret.
    private static func shown(_ text: String, hiding secrets: [Secret]) -> String {
        let bytes = Array(text.utf8)
        guard !secrets.contains(where: { reveals(bytes, Array($0.value.utf8)) }), !holdsToken(bytes) else {
            return "(a text with a secret in it)"
        }
        let escaped = JSONText.bare(JSONName(String(text.unicodeScalars.prefix(maxCharacters + 1))))
        let cut = String(escaped.unicodeScalars.prefix(maxCharacters))
        return cut.utf8.count == escaped.utf8.count ? cut : "\(cut)…"
    }

    /// Whether the text and the secret have so many bytes in a row in common.
    private static func reveals(_ text: [UInt8], _ secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        let length = min(revealing, secret.count)
        guard text.count >= length else { return false }
        let parts = Set((0...secret.count - length).map { secret[$0..<$0 + length] })
        return (0...text.count - length).contains { parts.contains(text[$0..<$0 + length]) }
    }

    /// Whether it holds the beginning of a JWT or of an access token of Google.
    private static func holdsToken(_ text: [UInt8]) -> Bool {
        text.indices.contains { text[$0...].starts(with: "eyJ".utf8) || text[$0...].starts(with: "ya29.".utf8) }
    }
}
