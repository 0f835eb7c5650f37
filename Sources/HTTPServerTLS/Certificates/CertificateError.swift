/// Why a certificate or its key cannot be used: which file, what is wrong with it and what was expected; nothing of a key
/// is in it.
package struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as its caller named it.
    package let source: String
    /// The predicate of a sentence about the file.
    package let problem: String

    /// An error about a file.
    package init(_ source: String, _ problem: String) {
        (self.source, self.problem) = (source, problem)
    }

    /// One sentence.
    package var sentence: String { "\(source): \(problem)" }

    /// The sentence.
    package var description: String { sentence }
}

/// The predicate of a sentence about a file whose name somebody else knows.
struct CertificateProblem: Error {
    let predicate: String

    init(_ predicate: String) { self.predicate = predicate }
}
