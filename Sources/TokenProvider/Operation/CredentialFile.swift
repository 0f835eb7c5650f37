import Glibc
import OpenSSLSigner

/// A service-account key file on disk: read whole, and only if its permissions are fit for a key.
struct CredentialFile {
    private static let maxBytes = 65_536

    let path: String
    /// What is allowed but unwise, in one sentence; nil if nothing is.
    let warning: String?
    private let content: [UInt8]

    init(path: String) throws(CredentialError) {
        self.path = path
        let file: SystemFile
        let status: stat
        do throws(SystemFileError) {
            file = try SystemFile(path: path)
            status = try file.status()
        } catch {
            throw CredentialFile.unreadable(path, error)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw CredentialError(source: path, field: nil, problem: "is a directory; expected a file")
        }
        if let problem = CredentialFile.refusal(status, for: geteuid()) {
            throw CredentialError(source: path, field: nil, problem: problem)
        }
        warning = CredentialFile.warning(path, status)
        content = try CredentialFile.read(file, path)
    }

    /// The file's signer, proved by a probe signature.
    func signer(allowDefaultServiceAccounts: Bool) throws(CredentialError) -> RS256Signer {
        try ServiceAccountKey.load(
            json: content, source: path, allowDefaultServiceAccounts: allowDefaultServiceAccounts)
    }

    /// Why a key file is not to be trusted when the program runs as `user`.
    static func refusal(_ status: stat, for user: uid_t) -> String? {
        FileTrust.breach(
            status, for: user, consequence: "choose the key", advice: "chmod go-w, or better chmod 600")
    }

    /// A group that can read is no matter: Kubernetes gives secrets to root and the pod's group, with mode 0640.
    private static func warning(_ path: String, _ status: stat) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IROTH != 0 else { return nil }
        return "\(path): others can read this file and so sign as the account; expected chmod 600"
    }

    private static func read(_ file: SystemFile, _ path: String) throws(CredentialError) -> [UInt8] {
        let content: [UInt8]
        do {
            content = try file.read(atMost: maxBytes + 1)
        } catch {
            throw unreadable(path, error)
        }
        guard content.count <= maxBytes else {
            throw CredentialError(source: path, field: nil, problem: "is over 64 KiB; expected a service-account key")
        }
        return content
    }

    private static func unreadable(_ path: String, _ error: SystemFileError) -> CredentialError {
        CredentialError(source: path, field: nil, problem: error.predicate)
    }
}
