/// A file that decides about callers.
enum CallerFile {
    /// The file's bytes, or why they are not to be trusted.
    static func read(_ path: String) throws(CallerErrors) -> [UInt8] {
        try CallerErrors.wrapping(path) { () throws(TrustedFileError) in
            try TrustedFile(path: path, for: .callers).content
        } sentence: {
            $0.predicate
        }
    }
}
