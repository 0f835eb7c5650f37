import Glibc

/// A file that decides about callers: read whole, and only if nobody else can write it.
enum CallerFile {
    private static let maxBytes = 8 << 20

    /// The file's bytes.
    static func read(_ path: String) throws(CallerErrors) -> [UInt8] {
        let (bytes, status) = try CallerErrors.wrapping(path) { () throws(SystemFileError) in
            let file = try SystemFile(path: path)
            return (try file.read(atMost: maxBytes + 1), try file.status())
        } sentence: {
            "the file \($0.predicate)"
        }
        if let breach = FileTrust.breach(status, for: geteuid(), consequence: "let themselves in") {
            throw CallerErrors(sentences: ["\(path): \(breach)"])
        }
        guard bytes.count <= maxBytes else {
            throw CallerErrors(sentences: ["\(path): the file is over 8 MiB; expected less"])
        }
        return bytes
    }
}
