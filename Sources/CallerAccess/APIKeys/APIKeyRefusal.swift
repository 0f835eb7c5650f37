import StrictJSON

/// What is wrong with an API key: a stable code.
package enum APIKeyFault: String, Error, CaseIterable, Sendable {
    /// It does not have the form of a key.
    case malformed = "api_key_malformed"
    /// It is in no line of the file.
    case unknown = "api_key_unknown"
    /// It has expired.
    case expired = "api_key_expired"
}

/// Why an API key is refused: for the log, not for the client.
package struct APIKeyRefusal: Error, Hashable, Sendable {
    /// What is wrong with it.
    package let fault: APIKeyFault
    /// The key's name, if the key is known.
    package let name: String?
    /// When the key expired, in seconds since the epoch; nil if it did not.
    let expiredAt: Int64?

    init(_ fault: APIKeyFault, name: String? = nil, expiredAt: Int64? = nil) {
        (self.fault, self.name, self.expiredAt) = (fault, name, expiredAt)
    }

    /// One sentence: what was wrong and what was expected, with nothing of the key, nor anything that looks like one, since
    /// the audit log cuts that.
    package var sentence: String {
        let key = "the API key" + (name.map { " \($0)" } ?? "")
        return switch fault {
        case .malformed: "\(key) is malformed; expected \(APIKey.length) characters as api-key new prints them"
        case .unknown: "\(key) is not one of the configured keys"
        case .expired:
            "\(key) expired" + (expiredAt.map { " at \(CivilTime(clamping: $0).rfc3339)" } ?? "")
        }
    }
}
