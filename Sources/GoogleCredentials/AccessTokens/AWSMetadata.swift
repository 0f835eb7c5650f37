import HTTPClient
import StrictJSON

/// Requests to the metadata of an AWS instance (Instance Metadata Service, versions 1 and 2).
struct AWSMetadata: Sendable {
    /// The answer to `sessionRequest`; nil for version 1.
    var session: Secret?

    /// The request for a session of version 2, for 300 seconds.
    static func sessionRequest(_ url: OutgoingURL) throws(AccessTokenError) -> TokenRequest<Secret> {
        let lifetime = try HTTPClientField.checked("x-aws-ec2-metadata-token-ttl-seconds", "300")
        return try TokenRequest(.put([]), url, [lifetime], patience: .metadata) { answer throws(AccessTokenError) in
            let token = try answer.text("a session token")
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw answer.error("answered with a session token that is not visible ASCII; expected a token")
            }
            return Secret(token)
        }
    }

    /// The request for the region: the availability zone without its last letter.
    func regionRequest(_ url: OutgoingURL) throws(AccessTokenError) -> TokenRequest<String> {
        try request(url) { answer throws(AccessTokenError) in
            let region = String(try answer.text("an availability zone").dropLast())
            guard AWSEnvironment.isRegion(region) else {
                throw answer.error("answered with something other than a zone; expected one such as us-east-1a")
            }
            return region
        }
    }

    /// The request for the name of the instance's role.
    func roleRequest(_ url: OutgoingURL) throws(AccessTokenError) -> TokenRequest<String> {
        try request(url) { answer throws(AccessTokenError) in
            let role = try answer.text("the name of a role")
            // The name becomes a part of a path.
            guard role.utf8.allSatisfy(Self.isNameCharacter), role.utf8.count <= 128, ![".", ".."].contains(role) else {
                throw answer.error("answered with something other than the name of one role; expected one")
            }
            return role
        }
    }

    /// The request for the security credentials of the role.
    func credentialsRequest(
        _ url: OutgoingURL, role: String
    ) throws(AccessTokenError) -> TokenRequest<AWSSecurityCredentials> {
        let hosts = url.isSecure ? [] : [url.host]
        guard let url = try? OutgoingURL(plain: "\(url.text)/\(role)", toHosts: hosts) else {
            throw AccessTokenError("the URL of the credentials at \(url.endpoint) is not valid with the role in it")
        }
        return try request(url) { answer throws(AccessTokenError) in
            let members = try answer.object()
            let id = try answer.string("AccessKeyId", in: members)
            let key = try answer.string("SecretAccessKey", in: members)
            let token = members["Token"] == nil ? nil : try answer.string("Token", in: members)
            return AWSSecurityCredentials(
                accessKeyID: id, secretAccessKey: Secret(key), sessionToken: token.map { Secret($0) })
        }
    }

    /// The characters of names in IAM.
    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "_+=,.@-")
    }

    private func request<Value>(
        _ url: OutgoingURL, read: @escaping @Sendable (TokenAnswer) throws(AccessTokenError) -> Value
    ) throws(AccessTokenError) -> TokenRequest<Value> {
        var fields: [HTTPClientField] = []
        if let session { fields.append(try .checked("x-aws-ec2-metadata-token", session.value)) }
        return try TokenRequest(
            .get, url, fields, patience: .metadata, hiding: session.map { [$0] } ?? [], read: read)
    }
}
