import Glibc

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
