import FleetEngineToken
import Glibc

/// One log line in the configured form. Whatever a client chose is escaped, so that nobody can write lines of his own.
struct LogLine {
    private var json = JSONWriter(escaping: .logLine, reserving: 256)
    private var text: [UInt8] = []
    private let format: Configuration.Log.Format

    init(_ format: Configuration.Log.Format, level: String, message: String, at time: timespec = LogLine.now()) {
        self.format = format
        let stamp = LogLine.timestamp(time)
        switch format {
        case .json:
            json.beginObject()
            json.member("time", stamp)
            json.member("level", level)
            json.member("message", message)
        case .text:
            text += "\(stamp) \(level) ".utf8
            text += LogLine.escaped(message)
        }
    }

    mutating func add(_ key: String, _ value: String) {
        switch format {
        case .json: json.member(key, value)
        case .text:
            text += " \(key)=".utf8
            text += LogLine.isPlain(value) ? ArraySlice(value.utf8) : LogLine.quoted(value)
        }
    }

    mutating func add(_ key: String, _ value: Int) {
        switch format {
        case .json: json.member(key, Int64(value))
        case .text: text += " \(key)=\(value)".utf8
        }
    }

    /// The line, with its end.
    consuming func bytes() -> [UInt8] {
        if format == .json { json.endObject() }
        return (format == .json ? json.bytes : text) + [UInt8(ascii: "\n")]
    }

    /// Whether a value cannot be taken for anything else without quotation marks.
    private static func isPlain(_ value: String) -> Bool {
        let special: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "=")]
        return !value.isEmpty && value.utf8.allSatisfy { (0x21...0x7E).contains($0) && !special.contains($0) }
    }

    private static func quoted(_ value: String) -> ArraySlice<UInt8> {
        var json = JSONWriter(escaping: .logLine)
        json.value(value)
        return json.bytes[...]
    }

    private static func escaped(_ value: String) -> [UInt8] { Array(quoted(value).dropFirst().dropLast()) }

    static func now() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }

    /// RFC 3339, in milliseconds of UTC.
    static func timestamp(_ time: timespec) -> String {
        var seconds = time.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: some BinaryInteger, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let clock = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(clock).\(padded(time.tv_nsec / 1_000_000, 3))Z"
    }
}
