import HTTPClient

/// The service that gives a container security credentials: of ECS and Fargate, or of EKS Pod Identity (AWS SDKs and Tools
/// Reference Guide, "Container credential provider").
struct AWSContainer: Sendable {
    /// The link-local addresses of these services, which have no TLS.
    private static let plainHosts = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]
    static let tokenFileVariable = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"

    private let url: OutgoingURL
    /// A file is read for each request, since its token is renewed.
    let tokenFile: String?
    private let token: Secret?

    /// Nil if the environment names none. Throws if its URL leads elsewhere.
    init?(_ environment: AWSEnvironment.Variables) throws(AccessTokenError) {
        let (name, text): (String, String)
        if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
            (name, text) = ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "http://\(Self.plainHosts[0])\(path)")
        } else if let full = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] {
            (name, text) = ("AWS_CONTAINER_CREDENTIALS_FULL_URI", full)
        } else {
            return nil
        }
        do { url = try OutgoingURL(plain: text, toHosts: Self.plainHosts) } catch {
            let hosts = Self.plainHosts.joined(separator: ", ")
            throw AccessTokenError("\(name) \(error.problem); expected https, or http to \(hosts) or loopback")
        }
        tokenFile = environment[Self.tokenFileVariable]
        token = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"].map { Secret($0) }
    }

    func credentials(by send: HTTPSend) async throws(AccessTokenError) -> AWSSecurityCredentials {
        let token = if let tokenFile { try Self.token(in: tokenFile) } else { token }
        var fields: [HTTPClientField] = []
        if let token { fields.append(try .checked("authorization", token.value)) }
        let answer = try await TokenRequest(
            .get, url, fields, patience: .metadata, hiding: token.map { [$0] } ?? []
        ).answer(by: send)
        return try AWSSecurityCredentials(answer.object(), of: answer, sessionToken: "Token")
    }

    private static func token(in file: String) throws(AccessTokenError) -> Secret {
        let content = try SubjectToken.content(of: file, as: tokenFileVariable)
        guard let text = String(validating: content, as: UTF8.self)?.trimmingWhiteSpace, !text.isEmpty else {
            throw AccessTokenError(
                "\(tokenFileVariable) \(file) is empty or not UTF-8; expected a token", isTransient: true)
        }
        return Secret(text)
    }
}
