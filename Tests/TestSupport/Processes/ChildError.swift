import Glibc

/// What failed, with which program, and what was expected.
package struct ChildError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// A failed system call, with the text for its errno.
    init(_ operation: String, code: Int32) { self.init("\(operation): \(String(cString: strerror(code)))") }
}
