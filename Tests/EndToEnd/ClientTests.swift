import TestSupport
import Foundation
import Testing

/// Independent clients: HTTP libraries, raw sockets, and apps that behave like Google's samples.
@Suite(.blocking, .tags(.addressSanitizer)) struct ClientTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    @Test func `Python's http client keeps its connection alive through answers and refusals`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let facts = try PythonClients.run("http_client_requests.py", [daemon.url])
        #expect(try #require(facts["requests"] as? Int) > 20)
    }

    @Test func `raw sockets get every pipelined answer in order`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let facts = try PythonClients.run("pipelined.py", ["127.0.0.1", daemon.port])
        #expect(try #require(facts["answers"] as? [String: Any]).count >= 5)
    }

    @Test func `hosts are compared without case and default port, and HTTP/1.2 is served`() throws {
        let files = try TLSFiles()
        let (daemon, url) = try files.daemon()
        let port = String(url.split(separator: ":").last ?? "")
        try PythonClients.run("same_hosts.py", [daemon.port, port, files.authority.path])
    }

    @Test(arguments: ["swift_sample_client.py", "objc_sample_client.py"], ["tripID", "vehicleID"])
    func `Google's sample apps never use an expired token`(
        script: String, parameter: String
    ) throws {
        // A lifetime of six seconds and a margin of one: a token is reused while four seconds are left.
        let configuration = try scratch.write(
            "short.yaml",
            """
            listen: 127.0.0.1:0
            callers: none
            token:
              lifetime: 6s
              backdate: 0s
              client_margin: 1s
            """)
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration, "--credentials", key.path], scratch: scratch)
        let facts = try PythonClients.run(script, [daemon.url, parameter, "app-1", "14"])
        #expect(try #require(facts["fetches"] as? Int) >= 3)
    }

    @Test func `twenty thousand connections of random bytes do not harm the daemon`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, flags: ["--log-level", "error"])
        let facts = try PythonClients.run("random_bytes.py", ["127.0.0.1", daemon.port, "20000"])
        let (answered, unanswered) = (facts["answered"] as? Int ?? 0, facts["unanswered"] as? Int ?? 0)
        let reset = facts["reset"] as? Int ?? 0
        #expect(answered + unanswered + reset == 20000)
        // The client checked that no unanswered connection had sent a whole request head.
        #expect(answered > 19000)
        #expect(reset < 200)
        let answers = try #require(facts["answers"] as? [String: Int])
        for status in ["200", "400", "404", "405", "414", "417", "431", "501", "505"] {
            #expect(answers[status, default: 0] > 0, "no answer has the status \(status)")
        }
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
        #expect(try daemon.end() == 0)
    }
}
