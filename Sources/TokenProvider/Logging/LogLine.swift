import FleetEngineToken
import Glibc
import Logging
import ServiceConfiguration
import StrictJSON
import SystemFiles

/// How a log's lines look: as configured, and as their reader needs them.
struct LogForm: StyledText {
    let format: Configuration.Log.Format
    /// The journal takes each level as a prefix, and has times of its own.
    var isForJournal = false
    var isColoured = false
}

extension LogForm {
    /// For what reads a descriptor: the journal, a terminal, or anything else.
    init(_ format: Configuration.Log.Format, on descriptor: Int32) {
        let environment = Environment.variables()
        self.format = format
        isForJournal = Journal.reads(descriptor, environment)
        isColoured = Terminal.showsColour(environment, on: descriptor)
    }
}

/// One log line in the configured format. Text from clients is escaped, so that no client can forge a line.
struct LogLine {
    private static let reservedBytes = 256

    private var json: JSONWriter
    private var text: [UInt8] = []
    private let format: Configuration.Log.Format

    init(_ form: LogForm, level: Logger.Level, message: String, at time: timespec = SystemClock.now()) {
        format = form.format
        if form.isForJournal { text += LogPriority(level).prefix }
        switch format {
        case .json:
            json = JSONWriter(escaping: .logLine, reserving: LogLine.reservedBytes)
            json.beginObject()
            json.member("time", CivilTime.rfc3339(time))
            json.member("level", level.rawValue)
            json.member("message", message)
        case .text:
            json = JSONWriter()
            text.reserveCapacity(LogLine.reservedBytes)
            if !form.isForJournal {
                text += CivilTime.rfc3339(time).utf8
                text.append(UInt8(ascii: " "))
                text += form.styled(level.rawValue, TextStyle(level)).utf8
                text.append(UInt8(ascii: " "))
            }
            text +=
                (LogLine.isVisible(message, besides: UInt8(ascii: " ")) ? message : JSONEscaping.legible(message)).utf8
        }
    }

    mutating func add(_ key: String, _ value: String) {
        guard format == .text else { return json.member(key, value) }
        begin(key)
        if LogLine.isPlain(value) {
            text += value.utf8
        } else {
            text += quoted(value)
        }
    }

    mutating func add(_ key: String, _ value: Int) {
        guard format == .text else { return json.member(key, Int64(value)) }
        begin(key)
        text += String(value).utf8
    }

    /// The line with its line feed.
    consuming func bytes() -> [UInt8] {
        if format == .json {
            json.endObject()
            return text + json.bytes + [UInt8(ascii: "\n")]
        }
        text.append(UInt8(ascii: "\n"))
        return text
    }

    private mutating func begin(_ key: String) {
        text.append(UInt8(ascii: " "))
        text += key.utf8
        text.append(UInt8(ascii: "="))
    }

    /// Whether a value is unambiguous without quotation marks.
    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && isVisible(value, besides: 0x21) && !value.utf8.contains(UInt8(ascii: "="))
    }

    /// Whether a text has only visible ASCII, or the other byte, and nothing that JSON would escape.
    private static func isVisible(_ value: String, besides other: UInt8) -> Bool {
        value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
            case 0x21...0x7E, other: true
            default: false
            }
        }
    }

    private func quoted(_ value: String) -> [UInt8] {
        var json = JSONWriter(escaping: .logLine)
        json.value(value)
        return json.bytes
    }
}

extension LogPriority {
    /// The priority of a level, of which there are more.
    fileprivate init(_ level: Logger.Level) {
        self =
            switch level {
            case .critical: .critical
            case .error: .error
            case .warning: .warning
            case .notice: .notice
            case .info: .info
            case .debug, .trace: .debug
            }
    }
}

extension TextStyle {
    /// The colour of a level; nil for the levels below `info`.
    fileprivate init?(_ level: Logger.Level) {
        switch level {
        case .critical, .error: self = .bad
        case .warning: self = .doubtful
        case .notice, .info: self = .good
        case .debug, .trace: return nil
        }
    }
}
