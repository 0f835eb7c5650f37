import FleetEngineToken
import Glibc
import ServiceConfiguration
import StrictJSON
import SystemFiles

/// One log line in the configured format. Text from clients is escaped, so that no client can forge a line.
struct LogLine {
    private static let reservedBytes = 256

    private var json: JSONWriter
    private var text: [UInt8] = []
    private let format: Configuration.Log.Format

    init(_ format: Configuration.Log.Format, level: String, message: String, at time: timespec = SystemClock.now()) {
        self.format = format
        let stamp = CivilTime.rfc3339(time)
        switch format {
        case .json:
            json = JSONWriter(escaping: .logLine, reserving: LogLine.reservedBytes)
            json.beginObject()
            json.member("time", stamp)
            json.member("level", level)
            json.member("message", message)
        case .text:
            json = JSONWriter()
            text.reserveCapacity(LogLine.reservedBytes)
            text += stamp.utf8
            text.append(UInt8(ascii: " "))
            text += level.utf8
            text.append(UInt8(ascii: " "))
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
            return json.bytes + [UInt8(ascii: "\n")]
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
