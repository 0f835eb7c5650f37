import Glibc

/// A system call that failed: which one, and errno.
package struct SystemError: Error, CustomStringConvertible {
    /// The operation, and what it was about.
    package let operation: String
    /// errno (errno(3)).
    package let code: Int32

    /// An operation that failed with a code.
    package init(operation: String, code: Int32) {
        (self.operation, self.code) = (operation, code)
    }

    static let outOfMemory = SystemError(operation: "secure a connection", code: ENOMEM)

    /// One sentence.
    package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
