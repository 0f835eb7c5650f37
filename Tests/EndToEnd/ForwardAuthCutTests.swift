import TestSupport
import Testing

/// Answers of a back end that are cut on their way: a shorter one must never allow more than the whole one.
@Suite(.blocking, .tags(.addressSanitizer)) struct ForwardAuthCutTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd
    private let authority: TestAuthority

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
        authority = try TestAuthority().certify("server")
    }

    /// The back end over TLS (`cutting_back_end.py`), which prefers these protocols, and a daemon that asks it.
    private func secured(_ protocols: [String]) throws -> (RunningClient, DaemonProcess) {
        let server = try PythonClients.start(
            "cutting_back_end.py", [authority.path("server.pem"), authority.path("server.key")] + protocols)
        let config = try files.configuration(
            """
            listen: 127.0.0.1:0
            credentials: \(files.key.path)
            outgoing: {ca_file: \(authority.path)}
            forward_auth: {url: "https://localhost:\(try #require(server.firstLine))/"}
            rules: [{name: riders, kinds: [consumer], forward_auth: true}]
            """)
        return (server, try DaemonProcess(["serve", "--config", config], scratch: files.scratch))
    }

    @Test(arguments: ["died", "cut", "halved", "chunk"])
    func `an answer that its connection cuts gives no token`(word: String) throws {
        let daemon = try daemon()
        let answer = try ask(daemon, "tripID=\(word)-1")
        #expect(answer.status == 503)
        #expect(try code(answer) == "caller_check_unavailable")
        try daemon.waitForLog("gave no decision: ")
        // Nothing is cached.
        #expect(try ask(daemon, "tripID=\(word)-1").status == 503)
        #expect(try backEnd.seen().questions.count == 2)
        #expect(try ask(daemon, "tripID=empty-1").status == 200)
    }

    @Test func `an answer without a length counts if it shows its end`() throws {
        let daemon = try daemon()
        for word in ["chunked", "object"] { #expect(try ask(daemon, "tripID=\(word)-1").status == 200) }
    }

    @Test(arguments: [["h2", "http/1.1"], ["http/1.1"]])
    func `an answer that is cut over TLS gives no token`(protocols: [String]) throws {
        let (server, daemon) = try secured(protocols)
        defer { server.terminate() }
        for word in ["cut", "half", "none"] { #expect(try ask(daemon, "tripID=\(word)-1").status == 503, "\(word)") }
        for word in ["allow", "whole"] { #expect(try ask(daemon, "tripID=\(word)-1").status == 200, "\(word)") }
    }

    @Test func `a stream that is reset after its headers gives no token`() throws {
        let (server, daemon) = try secured(["h2"])
        defer { server.terminate() }
        #expect(try ask(daemon, "tripID=cut-1").status == 503)
    }
}
