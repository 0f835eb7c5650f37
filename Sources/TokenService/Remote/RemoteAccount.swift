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
    /// How the credentials were found, for messages.
    package let source: String
    /// What gets access tokens.
    let access: AccessCredentials
    /// The accounts between the credentials and this one, in order; nil for those of the configuration.
    var delegates: [String]?
    /// The project of calls with the credentials; nil for the account's own.
    package let project: QuotaProject?
    /// The file's content, by which a reload recognises unchanged credentials; empty for a metadata server.
    let content: [UInt8]

    /// What the credentials are, such as `authorized_user`.
    package var form: String {
        switch access {
        case .file(let file): file.description
        case .metadataServer(let server): server.host
        }
    }

    /// The files of tokens that are read while the credentials are in use: they or the environment name them.
    package var tokenFiles: [String] { access.tokenFiles(Environment.variables()) }

    /// What is unwise about those files, a sentence each. They are often another program's, so that none is refused.
    var warnings: [String] {
        tokenFiles.compactMap { file in
            FileTrust.breach(ofRenewed: file, consequence: "choose the identity of \(source)").map { "\(file): \($0)" }
        }
    }

    /// The scopes for IAM Credentials (FleetEngineContract.md, "Remote signing"); those that impersonate ask for less,
    /// as Google's clients do.
    private var scopes: [String] { ["https://www.googleapis.com/auth/\(delegates == nil ? "cloud-platform" : "iam")"] }

    /// Access tokens for IAM Credentials, of which one is kept.
    func accessTokens(_ send: @escaping HTTPSend) -> AccessTokenSource {
        AccessTokenFetcher(access, in: project, scopes: scopes, environment: Environment.variables(), send: send)
            .source()
    }

    /// Who asks Google with the credentials; `machine` is what a metadata server calls its account, if it does.
    package func member(machine: String?) -> IAMMember { IAMMember(access, machine: machine) }
}

/// What a setting of credentials means: a key that signs here, or what gets access tokens.
struct KindCredentials: Sendable {
    /// How they were found, such as a file's path, for messages.
    let source: String
    /// The signer of a service account's key; nil for other credentials.
    let signer: RS256Signer?
    /// The service account of the credentials; nil if they are a person's or another provider's.
    let account: String?
    /// A warning about the file's permissions.
    let warning: String?
    private let content: [UInt8]
    /// Nil for a key file, of which only the key matters while it signs here.
    private let access: AccessCredentials?

    private var isMetadataServer: Bool { if case .metadataServer = access { true } else { false } }

    /// The account that Google signs for with these credentials: `signAs`, or their own. Nil if they have none.
    func remoteAccount(
        _ signAs: String?, _ values: Configuration
    ) throws(CredentialError) -> RemoteAccount? {
        let email = signAs ?? account
        // The machine's account is known when the daemon has asked for it.
        guard email != nil || isMetadataServer else { return nil }
        let access: AccessCredentials =
            if let known = self.access { known } else { .file(try Self.parse(content, source, values)) }
        do { try access.check(Environment.variables()) } catch {
            throw CredentialError(source: source, field: nil, problem: error.sentence)
        }
        if case .file(.impersonatedServiceAccount(let target)) = access, target.account == email,
            values.delegates.isEmpty
        {
            // As Google's clients do it: the credentials that may impersonate the account have it sign, so that it
            // needs no role on itself.
            let access = AccessCredentials.file(target.source)
            return RemoteAccount(
                email: email, source: "source_credentials of \(source)", access: access, delegates: target.delegates,
                project: try access.quotaProject(Environment.variables()), content: content)
        }
        return RemoteAccount(
            email: email, source: source, access: access,
            project: try access.quotaProject(Environment.variables()), content: content)
    }

    /// Reads the file, or searches (AIP-4110) for `application_default`. Nothing is asked over the network.
    init(_ path: String, _ values: Configuration) throws(CredentialError) {
        let file = path == Configuration.applicationDefault ? nil : try CredentialFile(path: path)
        if let file, !CredentialsContent.isPlaceholder(file.content) {
            try self.init(file, values)
        } else {
            try self.init(searching: values)
        }
    }

    /// A service account's key has sentences of its own; so has a file of no type at all.
    private init(_ file: CredentialFile, _ values: Configuration) throws(CredentialError) {
        (source, content, warning) = (file.path, file.content, file.warning)
        if Self.isRemote(file.content) {
            let credentials = try Self.parse(file.content, file.path, values)
            (signer, access, account) = (nil, .file(credentials), credentials.account)
        } else {
            let signer = try file.signer(allowDefaultServiceAccounts: values.allowDefaultServiceAccounts)
            (self.signer, access, account) = (signer, nil, signer.account)
        }
    }

    private static func parse(
        _ content: [UInt8], _ source: String, _ values: Configuration
    ) throws(CredentialError) -> CredentialsFile {
        try CredentialsFile(
            parsing: content, source: source, allowedHosts: values.credentialsAllowedHosts,
            universeDomain: values.google.universeDomain)
    }

    private init(searching values: Configuration) throws(CredentialError) {
        let environment = Environment.variables()
        let search = CredentialsSearch(
            environment: environment, allowedHosts: values.credentialsAllowedHosts,
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
            do { access = .metadataServer(try MetadataServer(environment: environment)) } catch {
                throw CredentialError(source: Configuration.applicationDefault, field: nil, problem: error.sentence)
            }
            (source, account, content, signer) = ("the metadata server", nil, [], nil)
            warning = values.choosesCredentials ? nil : Self.nothingFound
        }
    }

    private static let nothingFound =
        "no file of credentials was found; the daemon asks the metadata server of the machine at its start; expected "
        + "credentials: FILE, or a machine of Google's"

    /// Whether the file says that it is of a type other than a service account's key.
    private static func isRemote(_ content: [UInt8]) -> Bool {
        guard case .object(let members)? = try? JSONValue(parsing: content), case .string(let type) = members["type"]
        else { return false }
        return type != "service_account"
    }
}
