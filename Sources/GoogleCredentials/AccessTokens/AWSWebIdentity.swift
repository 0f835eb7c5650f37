import HTTPClient
import StrictJSON

/// A role that AWS gives for a token of another identity provider, such as of a Kubernetes service account (AWS Security Token
/// Service API Reference, "AssumeRoleWithWebIdentity").
struct AWSWebIdentity: Sendable {
    static let tokenFileVariable = "AWS_WEB_IDENTITY_TOKEN_FILE"

    let tokenFile: String
    private let role: String
    private let session: String
    /// Nil for the usual one of the region.
    private let endpoint: OutgoingURL?

    /// Nil unless the environment names a file. Throws if it names no role for it.
    init?(_ environment: AWSEnvironment.Variables) throws(AccessTokenError) {
        guard let file = environment[Self.tokenFileVariable] else { return nil }
        guard let role = environment["AWS_ROLE_ARN"] else {
            throw AccessTokenError("\(Self.tokenFileVariable) is set without AWS_ROLE_ARN; expected both, or neither")
        }
        (tokenFile, self.role) = (file, role)
        session = environment["AWS_ROLE_SESSION_NAME"] ?? "token-provider"
        endpoint = try environment["AWS_ENDPOINT_URL_STS"].map { text throws(AccessTokenError) in
            do throws(OutgoingURLError) { return try OutgoingURL(text) } catch {
                throw AccessTokenError("AWS_ENDPOINT_URL_STS \(error.problem); expected \(OutgoingURL.expectation)")
            }
        }
    }

    func credentials(in region: String, by send: HTTPSend) async throws(AccessTokenError) -> AWSSecurityCredentials {
        let token = try SubjectToken.read(tokenFile, .text, .jwt)
        let form = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", session), ("WebIdentityToken", token.value),
        ]
        let json = HTTPClientField(constant: "accept", "application/json")
        let answer = try await TokenRequest(posting: form, to: endpoint(in: region), [json], hiding: [token])
            .answer(by: send)
        var members = try answer.object()
        for name: JSONName in ["AssumeRoleWithWebIdentityResponse", "AssumeRoleWithWebIdentityResult", "Credentials"] {
            guard case .object(let inner)? = members[name] else {
                throw answer.error("answered without an object \(name.text); expected one")
            }
            members = inner
        }
        return try AWSSecurityCredentials(members, of: answer, sessionToken: "SessionToken")
    }

    private func endpoint(in region: String) throws(AccessTokenError) -> OutgoingURL {
        if let endpoint { return endpoint }
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        do { return try OutgoingURL("https://sts.\(region).\(domain)/") } catch {
            throw AccessTokenError("the region \(region) gives no URL: it \(error.problem)")
        }
    }
}
