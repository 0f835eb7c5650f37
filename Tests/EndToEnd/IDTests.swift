import TestSupport
import Foundation
import Testing

/// Ids, which clients choose freely, on every route, in queries and in paths.
@Suite(.blocking, .tags(.addressSanitizer)) struct IDTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    @Test func `accepted ids are preserved byte for byte and share no token`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, flags: ["--log-level", "error"])
        let facts = try PythonClients.run("id_property.py", ["127.0.0.1", daemon.port, "2500", "20260727"])
        #expect(try #require(facts["ids"] as? Int) > 2000, "\(facts)")
        #expect(try #require(facts["refused"] as? Int) > 500, "\(facts)")
    }

    @Test(arguments: ["text", "json"])
    func `every hostile id has its expected outcome and is escaped in logs`(
        format: String
    ) throws {
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, flags: ["--log-format", format],
            environment: ["TOKEN_PROVIDER_LOG_IDS": "plain"])
        let facts = try PythonClients.run("hostile_ids.py", ["127.0.0.1", daemon.port])
        let requests = try #require(facts["requests"] as? Int)
        #expect(requests > 5000)
        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        let raw = log.unicodeScalars.filter { Self.isUnsafe($0) && $0 != "\n" }
        #expect(raw.isEmpty, "raw in the log: \(Set(raw.map { String($0.value, radix: 16) }).sorted())")
        // No id begins a line: each line is one of the daemon's own.
        let lines = log.split(separator: "\n")
        #expect(lines.allSatisfy { format == "json" ? $0.hasPrefix("{\"time\":\"20") : $0.hasPrefix("20") })
        // A refusal of /token has a line besides the request's.
        let refused = format == "json" ? #""message":"refused""# : " info refused "
        let ofRequests = lines.filter { $0.contains("request_id") && !$0.contains(refused) }
        #expect(ofRequests.count == requests)
        #expect(!log.contains("\nX-Injected"))
        for shown in ["a\\u202eb", "a\\u2066", "a\\u2028b"] { #expect(log.contains(shown), "\(shown) is not escaped") }
    }

    /// Whether a scalar moves a terminal's cursor, turns text around or ends a line.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
