import ServiceConfiguration
import SystemFiles

/// A file that decides about callers.
package enum CallerFile {
    /// The file's bytes, or why they are not to be trusted.
    package static func read(_ path: String) throws(ConfigurationErrors) -> [UInt8] {
        try ConfigurationErrors.wrapping(path) { () throws(TrustedFileError) in
            try TrustedFile(path: path, for: .callers).content
        } sentence: {
            $0.predicate
        }
    }
}
