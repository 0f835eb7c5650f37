import TestSupport
import Foundation
import Testing

/// The back end's decisions are cached for one request each and for a limited time.
@Suite(.blocking) struct ForwardAuthCacheTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `requests whose clients left while the back end thinks hold little`() throws {
        let path = try configuration("headers: [Cookie], timeout: 1m", rules: "", more: "")
        let daemon = try DaemonProcess(
            ["serve", "--config", path], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let facts = try PythonClients.run(
            "departed.py", [daemon.port, daemon.adminURL(), "\(daemon.process.identifier)", "1500"])
        #expect(try #require(facts["charged"] as? Int) > 40_000_000)
        // Or the minute has ended, as on a slow machine.
        #expect(try #require(facts["held"] as? Int) < 15_000_000 || backEnd.seen().active == 0)
        try backEnd.releaseAll()
    }

    @Test func `a decision is cached only for exactly the same request`() throws {
        let daemon = try daemon("headers: [Cookie]")
        func asked(_ query: String, as bearer: String? = "one", _ cookie: String = "c=1") throws -> Int {
            let before = try backEnd.seen().questions.count
            for _ in 0..<3 { _ = try ask(daemon, query, as: bearer, ["-H", "Cookie: \(cookie)"]) }
            return try backEnd.seen().questions.count - before
        }
        #expect(try asked("tripID=allow-1") == 1)
        #expect(try asked("tripID=allow-1") == 0)
        #expect(try asked("tripID=allow-2") == 1)
        #expect(try asked("vehicleID=allow-1") == 1)
        #expect(try asked("tripID=allow-1", as: "two") == 1)
        #expect(try asked("tripID=allow-1", as: nil) == 1)
        #expect(try asked("tripID=allow-1", as: "one", "c=2") == 1)
        #expect(try asked("tripID=deny-1") == 1)
        #expect(try asked("tripID=unknown-1") == 1)
        // An answer that decides nothing is not cached.
        #expect(try asked("tripID=missing-1") == 3)
    }

    @Test func `with cache_time 0s every request asks the back end`() throws {
        let daemon = try daemon("cache_time: 0s")
        for _ in 0..<5 { #expect(try ask(daemon, "tripID=allow-1").status == 200) }
        #expect(try backEnd.seen().questions.count == 5)
    }

    @Test func `a reload drops cached decisions and still answers pending ones`() throws {
        let daemon = try daemon("timeout: 10s")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        let slow = try BackgroundCurl("\(daemon.url)/token?tripID=slow-1")
        try Patience.wait(for: "both questions") { try backEnd.seen().questions.count >= 2 }
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        #expect(try slow.status() == "200")
        #expect(try backEnd.seen().questions.count == 3)
    }

    @Test func `reloads that change tokens leave no thread or descriptor behind`() throws {
        let daemon = try daemon()
        let process = URL(filePath: "/proc/\(daemon.process.identifier)")
        func held(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: process.appending(path: folder).path).count
        }
        #expect(try ask(daemon, "tripID=allow-0").status == 200)
        let before = (threads: try held("task"), descriptors: try held("fd"))
        for number in 1...12 {
            _ = try configuration("", rules: "", more: "token: {lifetime: \(20 + number)m}")
            daemon.process.send(SIGHUP)
            try daemon.waitForLog("the configuration was reloaded", times: number)
            #expect(try ask(daemon, "tripID=allow-\(number)").status == 200)
        }
        // Each client has a thread and several descriptors.
        try Patience.wait(for: "the end of previous clients") {
            try held("task") < before.threads + 6 && held("fd") < before.descriptors + 6
        }
    }
}
