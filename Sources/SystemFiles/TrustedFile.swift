import Glibc

/// A file with security settings: it is read as a whole, and only if no other user can write it.
package struct TrustedFile {
    /// The whole file.
    package let content: [UInt8]
    /// Whether every user of this machine can read it. A group may read it: Kubernetes gives secrets to root and the pod's
    /// group, with mode 0640.
    package let isReadableByOthers: Bool

    /// What a file is for.
    package struct Purpose {
        /// What it holds.
        let expected: String
        /// Its largest size in KiB.
        let kibibytes: Int
        /// What a user who can write it could do, for a message after "and so".
        let consequence: String
        /// The expected permissions, as a command.
        var advice = "chmod go-w"

        /// A secret, such as a key that signs or authenticates.
        package static func secret(_ expected: String) -> Purpose {
            Purpose(
                expected: expected, kibibytes: 64, consequence: "choose the key",
                advice: "chmod go-w, or better chmod 600")
        }

        /// The PIN of a token.
        package static let pin = Purpose(
            expected: "a PIN", kibibytes: 64, consequence: "lock the token", advice: "chmod go-w, or better chmod 600")

        /// What requests to other services need.
        package static func sent(_ expected: String) -> Purpose {
            Purpose(
                expected: expected, kibibytes: 64, consequence: "choose what is sent, and where",
                advice: "chmod go-w, or better chmod 600")
        }

        /// Who is accepted as a caller.
        package static let callers = Purpose(
            expected: "API keys or a JWK set", kibibytes: 8 << 10, consequence: "let themselves in")

        /// By whom other services are recognised.
        package static let authorities = Purpose(
            expected: "certificates of authorities (PEM)", kibibytes: 8 << 10,
            consequence: "pose as every issuer and back end")
    }

    /// Reads the file. Throws if it is not a file, too large, or another user can write it.
    package init(path: String, for purpose: Purpose) throws(TrustedFileError) {
        let file = try Self.open(path, for: purpose)
        let status = try TrustedFileError.wrapping { () throws(SystemFileError) in try file.status() }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw TrustedFileError(predicate: "is a directory; expected a file")
        }
        let breach = FileTrust.breach(
            of: file, status, consequence: purpose.consequence, advice: purpose.advice)
        if let breach { throw TrustedFileError(predicate: breach) }
        isReadableByOthers = status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_IROTH != 0
        let limit = purpose.kibibytes << 10
        content = try TrustedFileError.wrapping { () throws(SystemFileError) in try file.read(atMost: limit + 1) }
        guard content.count <= limit else {
            throw TrustedFileError(predicate: "is over \(purpose.kibibytes) KiB; expected \(purpose.expected)")
        }
    }

    /// The text of a file of one line, without the line's end.
    package var line: String {
        let text = String(decoding: content, as: UTF8.self)
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }

    /// Opens the file. If that fails because it is another user's, the error says what to do, as for one that can be read.
    private static func open(_ path: String, for purpose: Purpose) throws(TrustedFileError) -> SystemFile {
        do { return try SystemFile(path: path) } catch {
            var status = stat()
            let breach =
                stat(path, &status) == 0
                ? FileTrust.breach(status, for: geteuid(), consequence: purpose.consequence, advice: purpose.advice)
                : nil
            throw TrustedFileError(predicate: breach ?? error.predicate, isMissing: error.isMissing)
        }
    }
}

/// Why such a file is refused.
package struct TrustedFileError: Error {
    /// A predicate of the file.
    package let predicate: String
    /// Whether the file or its folder does not exist.
    package let isMissing: Bool

    /// An error with this predicate of the file.
    package init(predicate: String, isMissing: Bool = false) {
        self.predicate = predicate
        self.isMissing = isMissing
    }

    fileprivate static func wrapping<Value>(
        _ body: () throws(SystemFileError) -> Value
    ) throws(TrustedFileError) -> Value {
        do { return try body() } catch {
            throw TrustedFileError(predicate: error.predicate, isMissing: error.isMissing)
        }
    }
}

/// Whether a file can be trusted: only its owner can write or replace it, and that is root or the user of this program.
package enum FileTrust {
    /// Why an open file cannot be trusted, as a predicate, by what fstat(2) says of it.
    package static func breach(
        of file: SystemFile, _ status: stat, consequence: String, advice: String = "chmod go-w"
    ) -> String? {
        guard !file.isUnnamedPipe else { return nil }
        return breach(file.path, status, for: geteuid(), consequence: consequence, advice: advice)
    }

    /// Why a library that is to be loaded cannot be trusted, as a predicate. Throws if the file is missing.
    package static func breach(ofLibrary path: String) throws(SystemFileError) -> String? {
        let file = try SystemFile(path: path)
        return breach(of: file, try file.status(), consequence: "run code in this process")
    }

    /// Why a file that is found by its path cannot be trusted, as a predicate, by what fstat(2) or stat(2) says of it.
    package static func breach(
        _ path: String, _ status: stat, for user: uid_t, consequence: String, advice: String = "chmod go-w"
    ) -> String? {
        breach(status, for: user, consequence: consequence, advice: advice)
            ?? TrustedPath.breach(path, to: status, for: user, consequence: consequence)
    }

    /// Why others could put another file in a folder in the place of this user's, as a predicate; nil if the folder is
    /// missing. Without a user, those of the folder's owner are meant.
    package static func breach(ofFolder path: String, for user: uid_t?, consequence: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return TrustedPath.breach(path, to: status, for: user ?? status.st_uid, consequence: consequence)
    }

    /// Why a file that another program renews is unwise, as a predicate; nil if it does not exist yet.
    package static func breach(ofRenewed path: String, consequence: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return breach(path, status, for: geteuid(), consequence: consequence)
            ?? (status.st_mode & S_IFMT == S_IFIFO
                ? "is a named pipe, whose writer delays each reading; expected a regular file" : nil)
    }

    /// Why a regular file or a named pipe cannot be trusted, as a predicate: a user other than root and `user`, who runs the
    /// program, can write it, with what consequence. The owner can always write it, whatever the permissions are.
    package static func breach(
        _ status: stat, for user: uid_t, consequence: String, advice: String = "chmod go-w"
    ) -> String? {
        guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else { return nil }
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
            return "others can write this file and so \(consequence); expected \(advice)"
        }
        guard status.st_uid != 0, status.st_uid != user else { return nil }
        return "belongs to user \(status.st_uid), who can write it and so \(consequence); "
            + "expected a file of root or of user \(user), who runs this; change its owner, or run this as user "
            + "\(status.st_uid) (in a container, --user \(status.st_uid))"
    }
}

/// A secret that was given where the path of its file, or its name, was expected: no message may show it.
package enum PastedSecret {
    /// Private keys in PEM and in base64, JSON and tokens in base64url, and API keys begin so.
    private static let beginnings = ["-----BEGIN", "LS0tLS1CRUdJTi", "eyJ", "tpk_"]

    /// Whether a text may be a secret, or a URL with a password.
    package static func resembles(_ text: String) -> Bool {
        text.contains("PRIVATE KEY") || beginnings.contains { text.hasPrefix($0) } || hasPassword(text)
    }

    /// Whether a text is a URL whose user information has a colon (RFC 3986, section 3.2.1).
    private static func hasPassword(_ text: String) -> Bool {
        guard let scheme = text.firstRange(of: "://") else { return false }
        let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[..<$0].contains(":") } ?? false
    }

    /// Whether a text may be the content of a file of credentials, not its path.
    package static func isContent(_ text: String) -> Bool { resembles(text) || text.contains("{") }
}
