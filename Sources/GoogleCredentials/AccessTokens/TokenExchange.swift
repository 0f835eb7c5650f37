import HTTPClient
import StrictJSON

/// The token exchange at Google's STS (RFC 8693, AIP-4117): another provider's token for an access token.
enum TokenExchange {
    /// A token with these scopes; `now` is in seconds since the epoch.
    static func token(
        _ account: ExternalAccount, subjectToken: Secret, scopes: [String], at now: Int64, by send: HTTPSend
    ) async throws(AccessTokenError) -> AccessToken {
        var form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("audience", account.audience),
            ("scope", scopes.joined(separator: " ")),
            ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("subject_token", subjectToken.value), ("subject_token_type", account.subjectTokenType),
        ]
        var fields: [HTTPClientField] = []
        var secrets = [subjectToken]
        if let client = account.client {
            fields.append(try authorization(client))
            secrets.append(client.secret)
        } else if let project = account.workforceUserProject {
            // A client belongs to a project, so only without one the project is named.
            form.append(("options", options(userProject: project)))
        }
        return try await TokenRequest(posting: form, to: account.tokenURL, fields, hiding: secrets)
            .answer(by: send).accessToken(at: now)
    }

    /// Basic authentication (RFC 7617, RFC 6749 section 2.3.1).
    private static func authorization(
        _ client: ExternalAccount.ClientCredentials
    ) throws(AccessTokenError) -> HTTPClientField {
        try .checked("authorization", "Basic \(Base64.encode("\(client.id):\(client.secret.value)"))")
    }

    /// Google's extension: a JSON object, percent-encoded before it becomes a member of the form.
    private static func options(userProject: String) -> String {
        var json = JSONWriter()
        json.object { $0.member("userProject", userProject) }
        return PercentEncoding.encode(json.bytes)
    }
}
