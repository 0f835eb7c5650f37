import TestSupport
import Testing

@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenProvider

@Suite struct AccessLogTests {
    private func configuration(_ change: (inout Configuration.Log) -> Void) -> Configuration.Log {
        var configuration = Configuration.Log()
        change(&configuration)
        return configuration
    }

    private func record(_ number: Int, _ annotation: HTTPAnnotation = HTTPAnnotation(route: "/token")) -> AccessRecord {
        AccessRecord(
            method: .get, status: .ok, bodyBytes: 12, duration: 345_678, requestID: "request-\(number)",
            annotation: annotation)
    }

    @Test(arguments: [1, 2, 3, 10, 101])
    func `one line is written for every n requests`(sample: Int) throws {
        let pipe = LogPipe()
        let log = try #require(AccessLog(configuration { $0.accessSample = sample }, sink: pipe.sink))
        for number in 1...100 { log.record(record(number)) }
        let lines = pipe.readToEnd().split(separator: "\n")
        #expect(lines.count == 100 / sample)
        for (index, line) in lines.enumerated() {
            #expect(line.contains(" request_id=request-\((index + 1) * sample)"))
        }
    }

    @Test func `no access log exists if disabled or above level info`() {
        let pipe = LogPipe()
        #expect(AccessLog(configuration { $0.access = false }, sink: pipe.sink) == nil)
        for level in Configuration.Log.Level.allCases {
            let isLogged = [.trace, .debug, .info].contains(level)
            #expect((AccessLog(configuration { $0.level = level }, sink: pipe.sink) != nil) == isLogged)
        }
    }

    @Test func `a line names route, subject and code; unknown routes are a dash`() throws {
        let pipe = LogPipe(format: .json)
        let log = try #require(AccessLog(configuration { $0.format = .json }, sink: pipe.sink))
        log.record(record(1, HTTPAnnotation(route: "/token", subject: "consumer:0123", code: "")))
        log.record(record(2, HTTPAnnotation(route: "", subject: "", code: "malformed_target")))
        let lines = try pipe.readToEnd().split(separator: "\n").map { try object($0.utf8) }
        try #require(lines.count == 2)
        #expect(lines[0]["message"] as? String == "request")
        #expect(lines[0]["level"] as? String == "info")
        #expect(lines[0]["method"] as? String == "GET")
        #expect(lines[0]["status"] as? Int == 200)
        #expect(lines[0]["bytes"] as? Int == 12)
        #expect(lines[0]["duration_us"] as? Int == 345)
        #expect(lines[0]["path"] as? String == "/token")
        #expect(lines[0]["id"] as? String == "consumer:0123")
        #expect(lines[0]["code"] == nil)
        #expect(lines[1]["path"] as? String == "-")
        #expect(lines[1]["id"] == nil)
        #expect(lines[1]["code"] as? String == "malformed_target")
    }
}
