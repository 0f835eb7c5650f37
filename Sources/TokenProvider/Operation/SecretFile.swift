import Glibc

/// A file that holds a secret: read whole, and only if nobody else can write it.
struct SecretFile {
    let content: [UInt8]
    /// Whether everybody on this machine can read it. A group that can is no matter: Kubernetes gives secrets to root and
    /// the pod's group, with mode 0640.
    let isReadableByOthers: Bool

    /// Reads the file; one of more than so many KiB is none of what is expected.
    init(path: String, atMost kibibytes: Int, expected: String) throws(SecretFileError) {
        let (file, status) = try SecretFileError.wrapping { () throws(SystemFileError) in
            let file = try SystemFile(path: path)
            return (file, try file.status())
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw SecretFileError(predicate: "is a directory; expected a file")
        }
        if let problem = Self.refusal(status, for: geteuid()) { throw SecretFileError(predicate: problem) }
        isReadableByOthers = status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_IROTH != 0
        content = try SecretFileError.wrapping { () throws(SystemFileError) in
            try file.read(atMost: kibibytes << 10 + 1)
        }
        guard content.count <= kibibytes << 10 else {
            throw SecretFileError(predicate: "is over \(kibibytes) KiB; expected \(expected)")
        }
    }

    /// Why a secret's file is not to be trusted when the program runs as `user`.
    static func refusal(_ status: stat, for user: uid_t) -> String? {
        FileTrust.breach(status, for: user, consequence: "choose the key", advice: "chmod go-w, or better chmod 600")
    }
}

/// Why a secret is not read.
struct SecretFileError: Error {
    /// A predicate of the file.
    let predicate: String

    fileprivate static func wrapping<Value>(
        _ body: () throws(SystemFileError) -> Value
    ) throws(SecretFileError) -> Value {
        do {
            return try body()
        } catch {
            throw SecretFileError(predicate: error.predicate)
        }
    }
}
