import Glibc

/// A sentence: what went wrong with which program, and what was expected.
public struct ChildError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// What the system said when it was asked for something.
    init(_ operation: String, code: Int32) { self.init("\(operation): \(String(cString: strerror(code)))") }
}
