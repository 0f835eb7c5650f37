import Glibc

/// A file that decides about something: read whole, and only if nobody else can write it.
package struct TrustedFile {
    package let content: [UInt8]
    /// Whether everybody on this machine can read it. A group that can is no matter: Kubernetes gives secrets to root and
    /// the pod's group, with mode 0640.
    package let isReadableByOthers: Bool

    /// What a file decides about.
    package struct Purpose {
        /// What it holds.
        let expected: String
        /// The most of it, in KiB.
        let kibibytes: Int
        /// What somebody could do who wrote it, behind "and so".
        let consequence: String
        /// How its permissions should be.
        var advice = "chmod go-w"

        /// A secret, or the key that something is signed or proved with.
        package static func secret(_ expected: String) -> Purpose {
            Purpose(
                expected: expected, kibibytes: 64, consequence: "choose the key",
                advice: "chmod go-w, or better chmod 600")
        }

        /// Who may call.
        package static let callers = Purpose(
            expected: "API keys or a JWK set", kibibytes: 8 << 10, consequence: "let themselves in")
    }

    /// Reads the file, or throws why it is none that decides.
    package init(path: String, for purpose: Purpose) throws(TrustedFileError) {
        let (file, status) = try TrustedFileError.wrapping { () throws(SystemFileError) in
            let file = try SystemFile(path: path)
            return (file, try file.status())
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw TrustedFileError(predicate: "is a directory; expected a file")
        }
        let breach = FileTrust.breach(
            status, for: geteuid(), consequence: purpose.consequence, advice: purpose.advice)
        if let breach { throw TrustedFileError(predicate: breach) }
        isReadableByOthers = status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_IROTH != 0
        let limit = purpose.kibibytes << 10
        content = try TrustedFileError.wrapping { () throws(SystemFileError) in try file.read(atMost: limit + 1) }
        guard content.count <= limit else {
            throw TrustedFileError(predicate: "is over \(purpose.kibibytes) KiB; expected \(purpose.expected)")
        }
    }
}

/// Why a file that decides is not read.
package struct TrustedFileError: Error {
    /// A predicate of the file.
    package let predicate: String

    fileprivate static func wrapping<Value>(
        _ body: () throws(SystemFileError) -> Value
    ) throws(TrustedFileError) -> Value {
        do {
            return try body()
        } catch {
            throw TrustedFileError(predicate: error.predicate)
        }
    }
}

/// Whether a file says what the operator says: nobody else can write it.
package enum FileTrust {
    /// Why a regular file is not to be trusted, as a predicate, when the program runs as `user`: somebody else, other than
    /// root, can write it, with what consequence. Its owner always can, whatever its permissions are.
    package static func breach(
        _ status: stat, for user: uid_t, consequence: String, advice: String = "chmod go-w"
    ) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
            return "others can write this file and so \(consequence); expected \(advice)"
        }
        guard status.st_uid != 0, status.st_uid != user else { return nil }
        return "belongs to user \(status.st_uid), who can write it and so \(consequence); "
            + "expected a file of root or of user \(user), who runs this"
    }
}
