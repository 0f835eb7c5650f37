import TestSupport
import Foundation
import Testing

/// The client library against the real daemon over TLS, whose callers have tokens of an identity provider.
@Suite(.blocking) struct ClientLibraryTests {
    let scene: ClientLibraryScene

    init() throws { scene = try ClientLibraryScene() }

    @Test func `a thousand callers make one request`() throws {
        let daemon = try scene.daemon()
        let answer = try scene.app.ask("vehicle:v-1", callers: 1000)
        #expect(answer.errors == [])
        #expect(answer.served == 1000)
        #expect(answer.tokens.count == 1)
        #expect(try daemon.tokenRequests() == 1)
        #expect(try scene.app.ask("vehicle:v-2").tokens != answer.tokens)
        #expect(try daemon.tokenRequests() == 2)
        #expect(try scene.app.files() == [])
    }

    @Test func `a daemon that restarts or stops costs no cached token`() throws {
        let first = try scene.daemon()
        let port = try first.securePort()
        let cached = try scene.app.ask("vehicle:v-1")
        try first.end()
        // The client has a connection that ended without its knowledge.
        let second = try scene.daemon(port: port)
        #expect(try scene.app.ask("trip:t-1").served == 1)
        try second.end()
        #expect(try scene.app.ask("vehicle:v-1").tokens == cached.tokens)
        let refused = try scene.app.ask("trip:t-2")
        #expect(refused.errors.count == 1)
        #expect(refused.errors.first?.hasPrefix("the token provider cannot be reached: URLError ") == true)
        try scene.app.tell("advance 60")
        #expect(try scene.app.ask("vehicle:v-1").tokens == cached.tokens)
        let third = try scene.daemon(port: port)
        #expect(try scene.app.ask("trip:t-2").served == 1)
        #expect(try third.tokenRequests() == 1)
    }

    private static let rules = "rules: [{name: all, kinds: [consumer, driver], ids: {tripID: any, vehicleID: any}}]"

    @Test func `after 401, fresh credentials are asked for once`() throws {
        let daemon = try scene.daemon("limits: {failure_rate: 0}\n\(Self.rules)")
        #expect(try scene.app.ask("vehicle:v-1").served == 1)
        let old = try scene.provider.token()
        try scene.provider.rotate()
        let new = try scene.provider.token()
        // The daemon learns of the new keys by the first token that names one.
        try Patience.wait(for: "the new keys") {
            try Curl("\(daemon.url)/token?tripID=t-1", bearer: new).status == 200
        }
        try scene.app.tell("credentials \(old) \(new)")
        try scene.app.tell("invalidate vehicle:v-1")
        let before = try daemon.tokenRequests()
        #expect(try scene.app.ask("vehicle:v-1").served == 1)
        #expect(try daemon.tokenRequests() == before + 2)
        // Without better ones, that is the end.
        try scene.app.tell("credentials \(old)")
        #expect(try scene.app.ask("vehicle:v-2").errors == ["401 invalid_credentials"])
        #expect(try daemon.tokenRequests() == before + 4)
    }

    @Test func `a refusal is final, with the server's code`() throws {
        let daemon = try scene.daemon("rules: [{name: one, kinds: [driver], ids: {vehicleID: [v-1]}}]")
        #expect(try scene.app.ask("vehicle:v-2").errors == ["403 not_allowed"])
        #expect(try daemon.tokenRequests() == 1)
        #expect(try scene.app.ask("vehicle:").errors == ["400 invalid_id"])
    }

    @Test func `429 makes every subject wait, without a request`() throws {
        let daemon = try scene.daemon("limits: {principal_rate: 0.01, principal_burst: 2}\n\(Self.rules)")
        for vehicle in 1...2 { #expect(try scene.app.ask("vehicle:v-\(vehicle)").served == 1) }
        #expect(try scene.app.ask("vehicle:v-3").errors == ["429 too_many_requests"])
        let requests = try daemon.tokenRequests()
        #expect(try scene.app.ask("trip:t-1").errors == ["429 too_many_requests"])
        #expect(try daemon.tokenRequests() == requests)
    }

    @Test func `503 is waited for, and told to a caller that cannot wait`() throws {
        let backEnd = try BackEnd()
        defer { backEnd.end() }
        let daemon = try scene.daemon(
            """
            forward_auth: {url: "\(backEnd.url)"}
            rules: [{name: asked, kinds: [driver], forward_auth: true}]
            """)
        try backEnd.answerAll(with: 500)
        // Retry-After is 5 s.
        #expect(try scene.app.ask("vehicle:allow-1", within: 4).errors == ["503 caller_check_unavailable"])
        #expect(try daemon.tokenRequests() == 1)
        try backEnd.answerAll(with: 0)
        #expect(try scene.app.ask("vehicle:allow-1").served == 1)
        #expect(try daemon.tokenRequests() == 2)
    }

    /// Three tries are made: two cuts are survived, and three are not.
    @Test(arguments: [(2, 1), (3, 0)])
    func `an answer that is cut off is asked for again`(cuts: Int, served: Int) throws {
        // With HTTP/2, the server's settings would be cut.
        let daemon = try scene.daemon(environment: ["TOKEN_PROVIDER_HTTP2_ENABLED": "false"])
        let relay = try PythonClients.start("cutting_relay.py", [daemon.securePort(), "\(cuts)"])
        defer { relay.terminate() }
        try scene.app.tell("url https://localhost:\(try #require(relay.firstLine))")
        let answer = try scene.app.ask("vehicle:v-1")
        #expect(answer.served == served)
        #expect(answer.errors.count == 1 - served)
        #expect(try daemon.end() == 0)
    }

    @Test func `another server gives no token, and gets no credentials by a redirect`() throws {
        let server = try PythonClients.start(
            "rude_server.py", [scene.authority.path("server.pem"), scene.authority.path("server.key")])
        defer { server.terminate() }
        let url = "https://localhost:\(try #require(server.firstLine))"
        try scene.app.tell("url \(url)")
        let html =
            "the answer with the status 200 is not a token provider's: it is text/html; expected application/json"
        #expect(try scene.app.ask("vehicle:html").errors == [html])
        let redirect = "the token provider redirects to 127.0.0.1 (307); expected an answer"
        #expect(try scene.app.ask("vehicle:redirect").errors == [redirect])
        #expect(try scene.app.ask("vehicle:status-502").errors == ["502 status_502"])
        #expect(try scene.app.ask("vehicle:status-404").errors == ["404 status_404"])
        #expect(try Curl("\(url)/seen", ["--cacert", scene.authority.path]).body == "[]")
    }

    @Test func `another authority's server is not trusted`() throws {
        let daemon = try scene.daemon()
        let other = try TestAuthority()
        let distrustful = try ClientLibrary(trusting: other, scratch: scene.files.scratch)
        try distrustful.tell("url \(daemon.secureURL())")
        try distrustful.tell("credentials \(scene.provider.token())")
        let answer = try distrustful.ask("vehicle:v-1")
        #expect(answer.errors.first?.hasPrefix("the token provider cannot be reached: URLError ") == true)
        #expect(try daemon.tokenRequests() == 0)
    }
}
