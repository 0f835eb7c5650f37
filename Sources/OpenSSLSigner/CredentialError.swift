import OpenSSLCrypto
/// Why a service account's key file is refused: where and what, in one sentence, with nothing of its key.
package struct CredentialError: Error, Hashable, Sendable {
    /// The file, as its caller named it.
    package let source: String
    /// The field of the file; nil where the file as a whole is at fault.
    package let field: String?
    /// What is wrong with it and what was expected.
    package let problem: String

    /// An error about a file, or one of its fields.
    package init(source: String, field: String?, problem: String) {
        self.source = source
        self.field = field
        self.problem = problem
    }

    /// One sentence that names the file and the field.
    package var sentence: String {
        field.map { "\(source): \($0) \(problem)" } ?? "\(source): \(problem)"
    }
}
