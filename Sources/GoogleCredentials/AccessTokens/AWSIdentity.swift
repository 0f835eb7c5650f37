import HTTPClient
import StrictJSON

/// The region and the security credentials of this AWS identity, from the environment, a service that it names, or the
/// instance's metadata (Instance Metadata Service, versions 1 and 2).
struct AWSIdentity: Sendable {
    let source: ExternalAccount.AWSSource
    let environment: [String: String]
    let send: HTTPSend

    /// The metadata is asked only for what the environment lacks.
    func read() async throws(AccessTokenError) -> (region: String, credentials: AWSSecurityCredentials) {
        let known = try AWSEnvironment(environment)
        let session = known.needsInstance ? try await session() : nil
        let region = if let region = known.region { region } else { try await region(session) }
        let credentials =
            switch known.source {
            case .given(let credentials): credentials
            case .webIdentity(let identity): try await identity.credentials(in: region, by: send)
            case .container(let container): try await container.credentials(by: send)
            case .instance: try await credentials(session)
            }
        return (region, credentials)
    }

    /// A session of version 2, for 300 seconds; nil for version 1.
    private func session() async throws(AccessTokenError) -> Secret? {
        guard let url = source.sessionTokenURL else { return nil }
        let lifetime = HTTPClientField(constant: "x-aws-ec2-metadata-token-ttl-seconds", "300")
        let answer = try await TokenRequest(.put([]), url, [lifetime], patience: .metadata).answer(by: send)
        let token = try answer.text("a session token")
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw answer.error("answered with a session token that is not visible ASCII; expected a token")
        }
        return Secret(token)
    }

    /// The availability zone without its last letter.
    private func region(_ session: Secret?) async throws(AccessTokenError) -> String {
        guard let url = source.regionURL else {
            throw AccessTokenError(
                "neither AWS_REGION nor region_url of the credentials says the region; expected one of them")
        }
        let answer = try await answer(at: url, session)
        let region = String(try answer.text("an availability zone").dropLast())
        guard AWSEnvironment.isRegion(region) else {
            throw answer.error("answered with something other than a zone; expected one such as us-east-1a")
        }
        return region
    }

    /// The credentials of the instance's role.
    private func credentials(_ session: Secret?) async throws(AccessTokenError) -> AWSSecurityCredentials {
        guard let url = source.credentialsURL else { throw Self.noCredentials }
        let role = try await role(url, session)
        let hosts = url.isSecure ? [] : [url.host]
        guard let url = try? OutgoingURL(plain: "\(url.text)/\(role)", toHosts: hosts) else {
            throw AccessTokenError("the URL of the credentials at \(url.endpoint) is not valid with the role in it")
        }
        let answer = try await answer(at: url, session)
        return try AWSSecurityCredentials(answer.object(), of: answer, sessionToken: "Token")
    }

    private func role(_ url: OutgoingURL, _ session: Secret?) async throws(AccessTokenError) -> String {
        let answer = try await answer(at: url, session)
        let role = try answer.text("the name of a role")
        // The name, of the characters of names in IAM, becomes a part of a path.
        guard role.utf8.allSatisfy({ $0.isAlphanumeric(or: "_+=,.@-") }), role.utf8.count <= 128,
            ![".", ".."].contains(role)
        else { throw answer.error("answered with something other than the name of one role; expected one") }
        return role
    }

    private func answer(at url: OutgoingURL, _ session: Secret?) async throws(AccessTokenError) -> TokenAnswer {
        var fields: [HTTPClientField] = []
        if let session { fields.append(try .checked("x-aws-ec2-metadata-token", session.value)) }
        return try await TokenRequest(
            .get, url, fields, patience: .metadata, hiding: session.map { [$0] } ?? []
        ).answer(by: send)
    }

    private static let noCredentials = AccessTokenError(
        "neither AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN, "
            + "AWS_CONTAINER_CREDENTIALS_FULL_URI nor url of the credential_source gives AWS credentials; expected one "
            + "of them")
}

extension AWSSecurityCredentials {
    /// The credentials in the members of an answer, whose session token has this name.
    init(_ members: JSONObject, of answer: TokenAnswer, sessionToken name: JSONName) throws(AccessTokenError) {
        accessKeyID = try answer.string("AccessKeyId", in: members)
        secretAccessKey = Secret(try answer.string("SecretAccessKey", in: members))
        sessionToken = members[name] == nil ? nil : Secret(try answer.string(name, in: members))
    }
}
