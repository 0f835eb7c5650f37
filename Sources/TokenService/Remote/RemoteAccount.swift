import FleetEngineToken
import GoogleCredentials
import OpenSSLSigner
import ServiceConfiguration
import StrictJSON
import SystemFiles

/// An account that Google signs for, and the credentials with which it is asked.
package struct RemoteAccount: Sendable {
    /// Nil for the account of the machine, which its metadata server knows.
    package let email: String?
    package let credentials: KindCredentials
}

/// What a setting of credentials means: a key that signs here, or what gets access tokens.
package struct KindCredentials: Sendable {
    /// How they were found, such as a file's path, for messages.
    package let source: String
    /// What gets access tokens.
    package let access: AccessCredentials
    /// The signer of a service account's key; nil for other credentials.
    let signer: RS256Signer?
    /// The service account of the credentials; nil if they are a person's or another provider's.
    let account: String?
    /// A warning about the file's permissions.
    let warning: String?
    /// The file's content, by which a reload recognises unchanged credentials; empty for a metadata server.
    let content: [UInt8]

    var isMetadataServer: Bool { if case .metadataServer = access { true } else { false } }

    /// Reads the file, or searches (AIP-4110) for `application_default`. Nothing is asked over the network.
    init(_ path: String, _ values: ConfigurationValues) throws(CredentialError) {
        if path == Configuration.applicationDefault {
            try self.init(searching: values)
        } else {
            let file = try CredentialFile(path: path)
            try self.init(file, values)
        }
    }

    /// A service account's key has sentences of its own; so has a file of no type at all.
    private init(_ file: CredentialFile, _ values: ConfigurationValues) throws(CredentialError) {
        (source, content, warning) = (file.path, file.content, file.warning)
        signer =
            Self.isRemote(file.content)
            ? nil : try file.signer(allowDefaultServiceAccounts: values.allowDefaultServiceAccounts)
        let credentials = try file.credentials(values)
        (access, account) = (.file(credentials), credentials.account)
    }

    private init(searching values: ConfigurationValues) throws(CredentialError) {
        let environment = Environment.variables()
        let search = CredentialsSearch(
            path: nil, environment: environment, allowedHosts: values.credentialsAllowedHosts,
            universeDomain: values.google.universeDomain)
        switch try search.find() {
        case .file(let file, let origin, let warning):
            (source, access, account, self.warning) = (origin.description, .file(file), file.account, warning)
            if case .serviceAccount(let key) = file {
                content = key.content
                signer = try ServiceAccountKey.load(
                    json: key.content, source: origin.path,
                    allowDefaultServiceAccounts: values.allowDefaultServiceAccounts)
            } else {
                (content, signer) = ((try? CredentialsContent.read(origin.path).bytes) ?? [], nil)
            }
        case .metadataServer:
            do {
                access = .metadataServer(try MetadataServer(environment: environment))
            } catch {
                throw CredentialError(source: Configuration.applicationDefault, field: nil, problem: error.sentence)
            }
            (source, account, warning, content, signer) = ("the metadata server", nil, nil, [], nil)
        }
    }

    /// Whether the file says that it is of a type other than a service account's key.
    private static func isRemote(_ content: [UInt8]) -> Bool {
        guard case .object(let members)? = try? JSONValue(parsing: content), case .string(let type) = members["type"]
        else { return false }
        return ["authorized_user", "external_account", "impersonated_service_account"].contains(type)
    }
}
