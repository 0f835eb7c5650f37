import HTTPClient
import StrictJSON

/// `generateAccessToken` of the IAM Credentials API: the access token of another service account.
enum Impersonation {
    /// The scope of the token that asks.
    static let scope = "https://www.googleapis.com/auth/iam"

    /// Seconds, unless the file says otherwise.
    static let usualLifetime: Int64 = 3600

    /// A token with these scopes for a lifetime in seconds, asked with the source's token and project;
    /// `delegates` are the accounts between, in order. `now` is in seconds since the epoch.
    static func token(
        _ url: OutgoingURL, delegates: [String], scopes: [String], for lifetime: Int64 = usualLifetime,
        as source: AccessToken, in project: QuotaProject?, at now: Int64, by send: HTTPSend
    ) async throws(AccessTokenError) -> AccessToken {
        var body = JSONWriter()
        body.object { json in
            if !delegates.isEmpty { json.texts("delegates", delegates) }
            json.texts("scope", scopes)
            json.member("lifetime", "\(lifetime)s")
        }
        var fields: [HTTPClientField] = [
            try .checked("authorization", "Bearer \(source.value.value)"),
            HTTPClientField(constant: "content-type", "application/json"),
        ]
        if let project { fields.append(project.field) }
        return try await TokenRequest(.post(body.bytes), url, fields, hiding: [source.value])
            .answer(by: send).generatedToken(at: now)
    }
}

extension JSONWriter {
    /// A member that holds an array of strings.
    fileprivate mutating func texts(_ name: String, _ texts: [String]) {
        key(name)
        array { json in
            for text in texts { json.value(text) }
        }
    }
}
