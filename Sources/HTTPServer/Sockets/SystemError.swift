import Glibc

/// A system call that failed: which one, and errno.
public struct SystemError: Error, CustomStringConvertible {
    public let operation: String
    public let code: Int32

    public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
