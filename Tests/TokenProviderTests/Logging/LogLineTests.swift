import Glibc
import Logging
import TestSupport
import Testing

@testable import FleetEngineToken
@testable import ServiceConfiguration
@testable import StrictJSON
@testable import TokenProvider

@Suite struct LogLineTests {
    private static let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 987_654_321)

    private func line(_ format: Configuration.Log.Format, message: String = "request", _ id: String? = nil) -> String {
        var line = LogLine(LogForm(format: format), level: .info, message: message, at: LogLineTests.time)
        if let id { line.add("id", id) }
        return String(decoding: line.bytes(), as: UTF8.self)
    }

    @Test func `a text line has the time, level, message and values`() {
        var line = LogLine(LogForm(format: .text), level: .notice, message: "two words", at: LogLineTests.time)
        line.add("plain", "a=b/c?d")
        line.add("spaced", "a b")
        line.add("empty", "")
        line.add("number", -7)
        #expect(
            String(decoding: line.bytes(), as: UTF8.self)
                == "2023-11-14T22:13:20.987Z notice two words plain=\"a=b/c?d\" spaced=\"a b\" empty=\"\" number=-7\n")
    }

    @Test func `a text message is unchanged except for escaped control characters`() {
        #expect(
            line(.text, message: #"--callers: "none" gives C:\keys to café"#)
                == "2023-11-14T22:13:20.987Z info --callers: \"none\" gives C:\\keys to café\n")
        #expect(
            line(.text, message: "\"a\nb\u{1B}[2J\u{202E}\"")
                == #"2023-11-14T22:13:20.987Z info "a\nb\u001b[2J\u202e""# + "\n")
    }

    @Test func `the journal gets priorities in place of times and levels`() {
        func bytes(_ format: Configuration.Log.Format) -> [UInt8] {
            let form = LogForm(format: format, isForJournal: true)
            return LogLine(form, level: .warning, message: "two words", at: LogLineTests.time).bytes()
        }
        #expect(String(decoding: bytes(.text), as: UTF8.self) == "<4>two words\n")
        #expect(
            String(decoding: bytes(.json), as: UTF8.self)
                == #"<4>{"time":"2023-11-14T22:13:20.987Z","level":"warning","message":"two words"}"# + "\n")
    }

    @Test func `only levels are coloured, and only in text`() {
        let levels: [(Logger.Level, String)] = [
            (.critical, "\u{1B}[31mcritical\u{1B}[0m"), (.error, "\u{1B}[31merror\u{1B}[0m"),
            (.warning, "\u{1B}[33mwarning\u{1B}[0m"), (.notice, "\u{1B}[32mnotice\u{1B}[0m"),
            (.info, "\u{1B}[32minfo\u{1B}[0m"), (.debug, "debug"), (.trace, "trace"),
        ]
        for (level, shown) in levels {
            let text = LogLine(
                LogForm(format: .text, isColoured: true), level: level, message: "\u{1B}[31mm", at: LogLineTests.time)
            #expect(
                String(decoding: text.bytes(), as: UTF8.self) == "2023-11-14T22:13:20.987Z \(shown) \\u001b[31mm\n")
            let json = LogLine(LogForm(format: .json, isColoured: true), level: level, message: "m").bytes()
            #expect(!json.contains(0x1B))
        }
    }

    @Test func `a JSON line is one object with the same values`() throws {
        var line = LogLine(LogForm(format: .json), level: .notice, message: "two words", at: LogLineTests.time)
        line.add("spaced", "a b")
        line.add("number", -7)
        #expect(
            String(decoding: line.bytes(), as: UTF8.self)
                == #"{"time":"2023-11-14T22:13:20.987Z","level":"notice","message":"two words","spaced":"a b","#
                + "\"number\":-7}\n")
    }

    /// C0, DEL, C1, separators of lines and paragraphs, direction marks and overrides, invisible characters and tags.
    static let hostile: [Unicode.Scalar] =
        ((0x00...0x1F).map { Unicode.Scalar(UInt8($0)) } + (0x7F...0x9F).map { Unicode.Scalar(UInt8($0)) })
        + [
            "\u{AD}", "\u{61C}", "\u{180E}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}",
            "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
            "\u{FEFF}", "\u{E0001}", "\u{E0041}",
        ]

    @Test(arguments: [Configuration.Log.Format.text, .json])
    func `no client-chosen character breaks a line, moves the cursor or reverses text`(
        format: Configuration.Log.Format
    ) {
        for scalar in Self.hostile {
            for text in ["\(scalar)", "a\(scalar)b", "\(scalar)\(scalar)2023-11-14T22:13:20.987Z error forged"] {
                for line in [line(format, message: text), line(format, text)] {
                    #expect(line.last == "\n")
                    let shown = line.unicodeScalars.dropLast()
                    let code = String(scalar.value, radix: 16)
                    #expect(!shown.contains(scalar), "U+\(code) in \(format.rawValue)")
                    #expect(shown.allSatisfy { $0.value >= 0x20 && !Self.hostile.contains($0) })
                }
            }
        }
    }

    @Test(arguments: [
        "\"", "\\", "\\\"", "a\" level=error x=\"", "\",\"level\":\"error\",\"x\":\"", "\n\r\t", "\u{202E}",
    ])
    func `a hostile value is parsed back unchanged and adds no member`(value: String) throws {
        let json = try object(line(.json, message: value, value).utf8)
        #expect(Set(json.keys) == ["time", "level", "message", "id"])
        #expect(json["level"] as? String == "info")
        #expect(json["message"] as? String == value)
        #expect(json["id"] as? String == value)
        let text = line(.text, value)
        let prefix = "2023-11-14T22:13:20.987Z info request id="
        #expect(text.hasPrefix("\(prefix)\""))
        let quoted = text.dropFirst(prefix.count).dropLast()
        #expect(try object("{\"id\":\(quoted)}".utf8)["id"] as? String == value)
    }

    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000Z"), (0, 999_999_999, "1970-01-01T00:00:00.999Z"),
        (951_826_554, 1_000_000, "2000-02-29T12:15:54.001Z"), (1_700_000_000, 10_999_999, "2023-11-14T22:13:20.010Z"),
        (4_102_444_799, 999_000_000, "2099-12-31T23:59:59.999Z"),
    ])
    func `a time is written as RFC 3339 UTC in whole milliseconds`(seconds: Int, nanoseconds: Int, expected: String) {
        #expect(CivilTime.rfc3339(timespec(tv_sec: seconds, tv_nsec: nanoseconds)) == expected)
    }
}
