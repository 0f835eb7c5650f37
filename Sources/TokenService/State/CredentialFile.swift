import OpenSSLSigner
import SystemFiles

/// A file of credentials on disk.
struct CredentialFile {
    let path: String
    /// A warning about the file's permissions.
    let warning: String?
    let content: [UInt8]

    init(path: String) throws(CredentialError) {
        let path = CredentialCopies.own.readable(path)
        self.path = path
        do throws(TrustedFileError) {
            let file = try TrustedFile(path: path, for: .secret("a service-account key"))
            content = file.content
            warning =
                file.isReadableByOthers
                ? "\(path): others can read this file and so sign as the account; expected chmod 600" : nil
        } catch {
            throw CredentialError(source: path, field: nil, problem: error.predicate)
        }
    }

    /// The file's signer, tested with a probe signature.
    func signer(allowDefaultServiceAccounts: Bool) throws(CredentialError) -> RS256Signer {
        try ServiceAccountKey.load(
            json: content, source: path, allowDefaultServiceAccounts: allowDefaultServiceAccounts)
    }
}
