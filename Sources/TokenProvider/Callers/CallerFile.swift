import Glibc

/// A file that decides about callers: read whole, and only if others cannot write it.
enum CallerFile {
    private static let maxBytes = 8 << 20

    /// The file's bytes.
    static func read(_ path: String) throws(CallerErrors) -> [UInt8] {
        let (bytes, mode) = try CallerErrors.wrapping(path) { () throws(SystemFileError) in
            let file = try SystemFile(path: path)
            return (try file.read(atMost: maxBytes + 1), try file.status().st_mode)
        } sentence: {
            "the file \($0.predicate)"
        }
        guard mode & S_IFMT != S_IFREG || mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw CallerErrors(
                sentences: ["\(path): others can write this file and so let themselves in; expected chmod go-w"])
        }
        guard bytes.count <= maxBytes else {
            throw CallerErrors(sentences: ["\(path): the file is over 8 MiB; expected less"])
        }
        return bytes
    }
}
