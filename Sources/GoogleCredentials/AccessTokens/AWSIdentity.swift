import HTTPClient

/// The region and the security credentials of this AWS identity, from the environment or the instance's metadata.
struct AWSIdentity: Sendable {
    let source: ExternalAccount.AWSSource
    let environment: [String: String]
    let send: HTTPSend

    /// The metadata is asked only for what the environment lacks.
    func read() async throws(AccessTokenError) -> (region: String, credentials: AWSSecurityCredentials) {
        let known = try AWSEnvironment(environment)
        if let region = known.region, let credentials = known.credentials { return (region, credentials) }
        let metadata = try await session()
        let region = if let region = known.region { region } else { try await region(metadata) }
        let credentials = if let given = known.credentials { given } else { try await credentials(metadata) }
        return (region, credentials)
    }

    private func session() async throws(AccessTokenError) -> AWSMetadata {
        guard let url = source.sessionTokenURL else { return AWSMetadata() }
        return AWSMetadata(session: try await AWSMetadata.sessionRequest(url).value(by: send))
    }

    private func region(_ metadata: AWSMetadata) async throws(AccessTokenError) -> String {
        guard let url = source.regionURL else {
            throw AccessTokenError(
                "neither AWS_REGION nor region_url of the credentials says the region; expected one of them")
        }
        return try await metadata.regionRequest(url).value(by: send)
    }

    private func credentials(_ metadata: AWSMetadata) async throws(AccessTokenError) -> AWSSecurityCredentials {
        guard let url = source.credentialsURL else { throw Self.noCredentials }
        let role = try await metadata.roleRequest(url).value(by: send)
        return try await metadata.credentialsRequest(url, role: role).value(by: send)
    }

    private static let noCredentials = AccessTokenError(
        "neither AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY nor url of the credential_source gives AWS credentials; "
            + "expected one of them")
}
