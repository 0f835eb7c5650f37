/// Why a certificate or its key cannot be used: which file, what is wrong with it and what was expected. It holds
/// nothing of a key.
package struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as its caller named it.
    package let source: String
    /// The predicate of a sentence about the file.
    package let problem: String

    package init(_ source: String, _ problem: String) {
        (self.source, self.problem) = (source, problem)
    }

    /// The file and the problem.
    package var sentence: String { "\(source): \(problem)" }

    package var description: String { sentence }
}

/// The predicate of a sentence about a file; the caller adds the file's name.
struct CertificateProblem: Error {
    let predicate: String

    init(_ predicate: String) { self.predicate = predicate }
}
