import HTTPClient
import StrictJSON

/// Google's error object (AIP-193): `{"error": {"code", "message", "status", "details"}}`.
struct GoogleAPIError: Hashable, Sendable {
    /// The canonical name, such as `PERMISSION_DENIED`; nil if there is none.
    let status: String?
    /// For developers, in English; not to be shown unescaped.
    let message: String
    /// Why, in upper case, such as `SERVICE_DISABLED` (google.rpc.ErrorInfo); nil if there is none.
    let reason: String?
    /// The project that was asked for, `projects/NUMBER`; nil if there is none.
    let consumer: String?
    /// The API that was asked, such as `iamcredentials.googleapis.com`; nil if there is none.
    let service: String?
    /// The account that asked or was asked for; nil if there is none.
    let account: String?
    /// After which time to try again (google.rpc.RetryInfo); nil if there is none.
    let retryDelay: Duration?

    /// Nil unless the answer is JSON with such an object, whose code is the answer's status.
    init?(_ response: HTTPClientResponse) {
        guard response.isJSON, case .object(let members)? = try? JSONValue(parsing: response.body.selfDelimiting),
            case .object(let error) = members["error"],
            error["code"] == .integer(Int64(response.status)), case .string(let message) = error["message"],
            error["status"] == nil || Self.text(error["status"]) != nil,
            let details = Self.details(error["details"])
        else { return nil }
        self.message = message
        status = Self.name(error["status"])
        let info = details.first { $0["@type"] == .string("type.googleapis.com/google.rpc.ErrorInfo") }
        reason = Self.name(info?["reason"])
        let metadata = Self.object(info?["metadata"])
        consumer = Self.consumer(metadata?["consumer"])
        service = Self.service(metadata?["service"])
        account = Self.text(metadata?["email"]).flatMap { try? ServiceAccountName($0).email }
        let retry = details.first { $0["@type"] == .string("type.googleapis.com/google.rpc.RetryInfo") }
        retryDelay = Self.delay(retry?["retryDelay"])
    }

    /// The reason or else the status, such as `403 SERVICE_DISABLED`.
    func title(_ code: Int) -> String { "\(code) \(reason ?? status ?? "without a status")" }

    /// What is wrong with an answer that has no such object.
    static func missing(_ code: Int, from endpoint: String) -> String {
        "\(endpoint) answered with the status \(code) and no error object of Google"
    }

    /// The title and what Google says, in parentheses, with the secret hidden.
    func answer(_ code: Int, hiding secret: Secret) -> String {
        "(\(title(code)): \(ReceivedText.quoted(message, hiding: secret)))"
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func details(_ value: JSONValue?) -> [JSONObject]? {
        guard let value else { return [] }
        guard case .array(let elements) = value else { return nil }
        return elements.compactMap(object)
    }

    /// A name in upper case, at most 63 characters (AIP-193); nil for anything else.
    private static func name(_ value: JSONValue?) -> String? {
        guard let text = text(value), (1...63).contains(text.utf8.count) else { return nil }
        let isName = text.utf8.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || isDigit($0) || $0 == UInt8(ascii: "_")
        }
        return isName ? text : nil
    }

    private static func object(_ value: JSONValue?) -> JSONObject? {
        if case .object(let members) = value { members } else { nil }
    }

    private static func service(_ value: JSONValue?) -> String? {
        guard let text = text(value), (try? OutgoingURL("https://\(text)"))?.host == text else { return nil }
        return text
    }

    private static func consumer(_ value: JSONValue?) -> String? {
        guard let text = text(value) else { return nil }
        let number = text.dropFirst("projects/".count)
        let isProject = text.hasPrefix("projects/") && (1...20).contains(number.utf8.count)
        return isProject && number.utf8.allSatisfy(isDigit) ? text : nil
    }

    /// A time in JSON's form of google.protobuf.Duration, such as `1.5s`; fractions are rounded up.
    private static func delay(_ value: JSONValue?) -> Duration? {
        guard let text = text(value), text.hasSuffix("s") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
            let seconds = Int64(parts[0])
        else { return nil }
        let whole = min(seconds, RetryAfter.longest)
        return .seconds(min(parts.count == 2 ? whole + 1 : whole, RetryAfter.longest))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension HTTPClientResponse {
    /// Whether its only media type is `application/json` (RFC 9110 section 8.3); parameters do not matter.
    var isJSON: Bool {
        var types = fields.lazy.filter { $0.name == "content-type" }.makeIterator()
        guard let type = types.next(), types.next() == nil else { return false }
        return type.value.hasMediaType("application/json")
    }
}

/// The header `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Longer times, in seconds, are cut to this: Google counts signatures by the minute (cloud.google.com/iam/quotas), and
    /// one answer must not stop all accounts for longer.
    static let longest: Int64 = 60

    /// The time that the answer names, 0 for a date in the past; nil if it names none. `now` is in seconds since the epoch.
    static func duration(_ response: HTTPClientResponse, at now: Int64) -> Duration? {
        guard let text = response.values(of: "retry-after").first else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber { return .seconds(min(Int64(text) ?? longest, longest)) }
        return IMFFixdate.epochSeconds(text).map { .seconds(min(max(0, $0 - now), longest)) }
    }
}
