import Glibc

/// A system call that failed: which one, and errno.
public struct SystemError: Error, CustomStringConvertible {
    /// The operation, and what it was about.
    public let operation: String
    /// errno (errno(3)).
    public let code: Int32

    /// An operation that failed with a code.
    public init(operation: String, code: Int32) {
        (self.operation, self.code) = (operation, code)
    }

    static let outOfMemory = SystemError(operation: "secure a connection", code: ENOMEM)

    /// One sentence.
    public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
