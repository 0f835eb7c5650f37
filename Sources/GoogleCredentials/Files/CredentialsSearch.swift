import OpenSSLSigner
import SystemFiles

/// The search for Application Default Credentials (AIP-4110): the first place that has some decides, even if they are
/// broken.
package struct CredentialsSearch: Sendable {
    /// Reads a file; its error tells whether there is one.
    package typealias Read = @Sendable (_ path: String) throws(TrustedFileError) -> CredentialsContent

    /// The variable that names a file.
    package static let variable = "GOOGLE_APPLICATION_CREDENTIALS"
    private static let fileName = "application_default_credentials.json"

    private let environment: [String: String]
    private let allowedHosts: [String]
    private let universeDomain: String
    private let read: Read

    /// A search. URLs in a file must lead to Google's domain, to `universeDomain` or to one of the allowed hosts.
    package init(
        environment: [String: String], allowedHosts: [String], universeDomain: String,
        read: @escaping Read = CredentialsContent.read
    ) {
        (self.environment, self.allowedHosts) = (environment, allowedHosts)
        (self.universeDomain, self.read) = (universeDomain, read)
    }

    /// The credentials and where they were found. Throws if the first place that has some is broken.
    package func find() throws(CredentialError) -> FoundCredentials {
        if let path = environment[Self.variable], !path.isEmpty {
            guard !PastedSecret.isContent(path) else {
                throw CredentialError(
                    source: Self.variable, field: nil,
                    problem: "has the credentials themselves; expected the path of their file")
            }
            let origin = CredentialsOrigin.variable(path: CredentialCopies.own.readable(path))
            let content = try content(origin)
            if !CredentialsContent.isPlaceholder(content.bytes) { return try credentials(origin, content) }
        }
        guard let path = Self.gcloudPath(environment), let content = try gcloudContent(path) else {
            return .metadataServer
        }
        return try credentials(.gcloud(path: path), content)
    }

    /// Where files are searched for.
    package static func places(_ environment: [String: String]) -> [String] {
        [environment[variable], gcloudPath(environment)].compactMap(\.self).filter {
            !$0.isEmpty && !PastedSecret.isContent($0)
        }
    }

    /// The file that `gcloud auth application-default login` writes; nil if its folder is unknown.
    private static func gcloudPath(_ environment: [String: String]) -> String? {
        if let folder = environment["CLOUDSDK_CONFIG"], !folder.isEmpty { return "\(folder)/\(fileName)" }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        return "\(home)/.config/gcloud/\(fileName)"
    }

    /// Nil if the file does not exist.
    private func gcloudContent(_ path: String) throws(CredentialError) -> CredentialsContent? {
        do { return try read(path) } catch {
            guard error.isMissing else { throw CredentialError(source: path, field: nil, problem: error.predicate) }
            return nil
        }
    }

    private func content(_ origin: CredentialsOrigin) throws(CredentialError) -> CredentialsContent {
        do { return try read(origin.path) } catch {
            throw CredentialError(source: origin.source, field: nil, problem: error.predicate)
        }
    }

    private func credentials(
        _ origin: CredentialsOrigin, _ content: CredentialsContent
    ) throws(CredentialError) -> FoundCredentials {
        let file = try CredentialsFile(
            parsing: content.bytes, source: origin.source, allowedHosts: allowedHosts, universeDomain: universeDomain)
        let isExposed = content.isReadableByOthers && file.holdsSecret
        let warning = "\(origin.path): others can read this file and so use its credentials; expected chmod 600"
        return .file(file, origin, warning: isExposed ? warning : nil)
    }
}
