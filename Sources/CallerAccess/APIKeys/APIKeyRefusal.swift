/// What is wrong with an API key: a stable word.
package enum APIKeyFault: String, Error, CaseIterable, Sendable {
    /// It has not the form of a key.
    case malformed = "api_key_malformed"
    /// It is in no line of the file.
    case unknown = "api_key_unknown"
    /// Its end has come.
    case expired = "api_key_expired"
}

/// Why an API key proves nothing: for the log, not for the client.
package struct APIKeyRefusal: Error, Hashable, Sendable {
    /// What is wrong with it.
    package let fault: APIKeyFault
    /// The key's name, where it has one.
    package let name: String?

    /// One sentence: what was wrong and what was expected, with nothing of the key.
    package var sentence: String {
        let whose = name.map { " \($0)" } ?? ""
        return switch fault {
        case .malformed: "the API key\(whose) is malformed; expected tpk_ and 43 characters of base64url"
        case .unknown: "the API key\(whose) is none of those that are configured"
        case .expired: "the API key\(whose) has expired"
        }
    }
}
