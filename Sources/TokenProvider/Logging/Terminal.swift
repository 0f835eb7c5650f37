import Glibc
import StrictJSON
import SystemFiles

/// Lines for people. Each is written at once, since a line in a buffer is lost when the process is killed. What others wrote, such
/// as a file or a server, may be part of it and must not control the terminal.
enum Terminal {
    /// Writes lines to standard output, with the colours of `StyledText` if they have them. Returns whether all was written.
    @discardableResult
    static func say(_ text: String, isStyled: Bool = false) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return put(lines.map { isStyled ? styled($0) : JSONEscaping.legible($0) }.joined(separator: "\n"), on: 1)
    }

    /// Writes an error to standard error.
    static func complain(_ line: String) { tell(line, .error) }

    /// Writes a warning to standard error: something is allowed but unwise.
    static func warn(_ line: String) { tell("warning: \(line)", .warning) }

    /// Writes information to standard error.
    static func note(_ line: String) { tell(line, .info) }

    private static func tell(_ line: String, _ priority: LogPriority) {
        put("token-provider: \(JSONEscaping.legible(line))", priority)
    }

    /// Writes an unchanged line to standard error, with its priority if the journal reads it.
    static func put(_ line: String, _ priority: LogPriority) {
        let prefix = Journal.readsErrors ? String(decoding: priority.prefix, as: UTF8.self) : ""
        _ = put(prefix + line, on: 2)
    }

    /// Whether standard input is a terminal, so that reading would wait for the user.
    static var isInput: Bool { isatty(0) == 1 }

    /// Whether output may be coloured: on a terminal, unless NO_COLOR has a value (no-color.org).
    static func showsColour(_ environment: [String: String]) -> Bool {
        isatty(1) == 1 && environment["NO_COLOR", default: ""].isEmpty
    }

    private static func styled(_ line: Substring) -> String {
        var (rest, text) = (line, "")
        while let style = rest.firstMatch(of: /\u{1B}\[(?:[01]|3[1-3])m/) {
            text += JSONEscaping.legible(rest[..<style.range.lowerBound]) + style.output
            rest = rest[style.range.upperBound...]
        }
        return text + JSONEscaping.legible(rest)
    }

    /// Returns whether the whole line was written.
    private static func put(_ line: String, on descriptor: Int32) -> Bool {
        (try? SystemCall.writeAll(Array("\(line)\n".utf8), to: descriptor)) != nil
    }
}
