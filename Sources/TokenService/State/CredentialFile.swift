import OpenSSLSigner
import SystemFiles

/// A service-account key file on disk.
struct CredentialFile {
    let path: String
    /// What is allowed but unwise, in one sentence; nil if nothing is.
    let warning: String?
    private let content: [UInt8]

    init(path: String) throws(CredentialError) {
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

    /// The file's signer, proved by a probe signature.
    func signer(allowDefaultServiceAccounts: Bool) throws(CredentialError) -> RS256Signer {
        try ServiceAccountKey.load(
            json: content, source: path, allowDefaultServiceAccounts: allowDefaultServiceAccounts)
    }
}
