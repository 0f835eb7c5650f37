import Glibc
import StrictJSON
import SystemFiles

/// Lines for people. Each is written at once, since a line in a buffer is lost when the process is killed. What others wrote, such
/// as a file or a server, may be part of it and must not control the terminal.
enum Terminal {
    /// Writes lines to standard output. Those of `StyledText` keep its colours, and are wrapped to the terminal's width. Returns
    /// whether all was written.
    @discardableResult
    static func say(_ text: String, isStyled: Bool = false) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wrap = LineWrap(width(of: 1))
        return put(
            lines.map { isStyled ? wrap.wrapped(styled($0)) : JSONEscaping.legible($0) }.joined(separator: "\n"), on: 1)
    }

    /// Writes an error to standard error.
    static func complain(_ line: String) { tell("token-provider:", .bad, line, .error) }

    /// Writes a warning to standard error: something is allowed but unwise.
    static func warn(_ line: String) { tell("token-provider: warning:", .doubtful, line, .warning) }

    /// Writes a line with its priority if the journal reads it.
    private static func tell(_ beginning: String, _ style: TextStyle, _ line: String, _ priority: LogPriority) {
        let form = LogForm(.text, on: 2)
        let prefix = form.isForJournal ? String(decoding: priority.prefix, as: UTF8.self) : ""
        let line = "\(form.styled(beginning, style)) \(JSONEscaping.legible(line))"
        put("\(prefix)\(LineWrap(width(of: 2)).wrapped(line))", on: 2)
    }

    /// The columns of a terminal; nil for anything else, and for a terminal that does not say.
    private static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether standard input is a terminal, so that reading would wait for the user.
    static var isInput: Bool { isatty(0) == 1 }

    /// Whether output may be coloured: on a terminal, unless NO_COLOR has a value (no-color.org).
    static func showsColour(_ environment: [String: String], on descriptor: Int32 = 1) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
    }

    private static func styled(_ line: Substring) -> String {
        var (rest, text) = (line, "")
        while let style = rest.firstMatch(of: /\u{1B}\[(?:[01]|3[1-3])m/) {
            text += JSONEscaping.legible(rest[..<style.range.lowerBound]) + style.output
            rest = rest[style.range.upperBound...]
        }
        return text + JSONEscaping.legible(rest)
    }

    @discardableResult
    private static func put(_ line: String, on descriptor: Int32) -> Bool {
        write(Array("\(line)\n".utf8), on: descriptor)
    }

    /// Writes lines as they are. Returns whether all was written.
    @discardableResult
    static func write(_ lines: [UInt8], on descriptor: Int32) -> Bool {
        (try? SystemCall.writeAll(lines, to: descriptor)) != nil
    }
}
