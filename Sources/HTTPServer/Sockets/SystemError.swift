import Glibc

/// A system call that failed: which one, and errno.
public struct SystemError: Error, CustomStringConvertible {
    /// The operation, and what it was about.
    public let operation: String
    /// errno (errno(3)).
    public let code: Int32

    static let outOfMemory = SystemError(operation: "secure a connection", code: ENOMEM)

    /// One sentence.
    public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
