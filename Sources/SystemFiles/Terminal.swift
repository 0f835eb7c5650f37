import Glibc

/// Lines for people. Each is written at once, since a line in a buffer is lost when the process is killed.
package enum Terminal {
    /// Writes to standard output. Returns whether the whole line was written.
    @discardableResult
    package static func say(_ line: String) -> Bool { put(line, on: 1) }

    /// Writes an error to standard error.
    package static func complain(_ line: String) { put("token-provider: \(line)", .error) }

    /// Writes a warning to standard error: something is allowed but unwise.
    package static func warn(_ line: String) { put("token-provider: warning: \(line)", .warning) }

    /// Writes information to standard error.
    package static func note(_ line: String) { put("token-provider: \(line)", .info) }

    /// Writes an unchanged line to standard error, with its priority if the journal reads it.
    package static func put(_ line: String, _ priority: LogPriority) {
        let prefix = Journal.readsErrors ? String(decoding: priority.prefix, as: UTF8.self) : ""
        _ = put(prefix + line, on: 2)
    }

    /// Whether standard input is a terminal, so that reading would wait for the user.
    package static var isInput: Bool { isatty(0) == 1 }

    /// Whether output may be coloured: on a terminal, unless NO_COLOR has a value (no-color.org).
    package static func showsColour(_ environment: [String: String]) -> Bool {
        isatty(1) == 1 && environment["NO_COLOR", default: ""].isEmpty
    }

    /// Returns whether the whole line was written.
    private static func put(_ line: String, on descriptor: Int32) -> Bool {
        (try? SystemCall.writeAll(Array("\(line)\n".utf8), to: descriptor)) != nil
    }
}
