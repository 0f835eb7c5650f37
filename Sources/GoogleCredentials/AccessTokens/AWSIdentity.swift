import HTTPClient

/// The region and the security credentials of this AWS identity, from the environment or the instance's metadata.
struct AWSIdentity: Sendable {
    let source: ExternalAccount.AWSSource
    let environment: [String: String]
    let send: HTTPSend

    /// Calls the completion once. The metadata is asked only for what the environment lacks.
    func read(_ completion: @escaping TokenCompletion<(region: String, credentials: AWSSecurityCredentials)>) {
        let known: AWSEnvironment
        do throws(AccessTokenError) {
            known = try AWSEnvironment(environment)
        } catch {
            return completion(.failure(error))
        }
        if let region = known.region, let credentials = known.credentials {
            return completion(.success((region, credentials)))
        }
        session(
            going(to: completion) { metadata in
                region(
                    known, metadata,
                    going(to: completion) { region in
                        credentials(
                            known, metadata,
                            going(to: completion) { credentials in completion(.success((region, credentials))) })
                    })
            })
    }

    private func session(_ completion: @escaping TokenCompletion<AWSMetadata>) {
        guard let url = source.sessionTokenURL else { return completion(.success(AWSMetadata())) }
        let takeSession = going(to: completion) { (session: Secret) in
            completion(.success(AWSMetadata(session: session)))
        }
        TokenRequest.perform(by: send, takeSession) { () throws(AccessTokenError) in
            try AWSMetadata.sessionRequest(url)
        }
    }

    private func region(
        _ known: AWSEnvironment, _ metadata: AWSMetadata, _ completion: @escaping TokenCompletion<String>
    ) {
        if let region = known.region { return completion(.success(region)) }
        TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
            guard let url = source.regionURL else {
                throw AccessTokenError(
                    "neither AWS_REGION nor region_url of the credentials says the region; expected one of them")
            }
            return try metadata.regionRequest(url)
        }
    }

    private func credentials(
        _ known: AWSEnvironment, _ metadata: AWSMetadata,
        _ completion: @escaping TokenCompletion<AWSSecurityCredentials>
    ) {
        if let credentials = known.credentials { return completion(.success(credentials)) }
        guard let url = source.credentialsURL else {
            return completion(.failure(Self.noCredentials))
        }
        let takeRole = going(to: completion) { (role: String) in
            TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
                try metadata.credentialsRequest(url, role: role)
            }
        }
        TokenRequest.perform(by: send, takeRole) { () throws(AccessTokenError) in try metadata.roleRequest(url) }
    }

    private static let noCredentials = AccessTokenError(
        "neither AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY nor url of the credential_source gives AWS credentials; "
            + "expected one of them")
}
