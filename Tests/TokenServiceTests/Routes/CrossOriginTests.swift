import Testing

@testable import ServiceConfiguration
@testable import TokenService

@Suite struct CrossOriginTests {
    private static let app = "https://app.example.com"

    private func bench() throws -> RouteBench {
        var configuration = Configuration.CORS()
        configuration.allowedOrigins = [Self.app, "http://localhost:5173"]
        configuration.allowedHeaders = ["Authorization", "X-Key"]
        return try RouteBench(crossOrigin: CrossOrigin(configuration))
    }

    @Test func `without allowed origins CORS is disabled`() {
        #expect(CrossOrigin(Configuration.CORS()) == nil)
    }

    @Test func `without allowed origins only a preflight gets 403`() throws {
        let bench = try RouteBench()
        let client = try bench.connect()
        let preflight = ["Origin": Self.app, "Access-Control-Request-Method": "GET"]
        for target in ["/token?tripID=a", "/token/consumer/a", "/token/nothing"] {
            let answer = try client.ask("OPTIONS", target, fields: preflight)
            #expect(answer.status == 403)
            #expect(try answer.json()["code"] as? String == "origin_not_allowed")
            #expect(answer.fields["access-control-allow-origin"] == nil)
        }
        for (method, fields) in [
            ("OPTIONS", [:]), ("OPTIONS", ["Origin": Self.app]),
            ("OPTIONS", ["Access-Control-Request-Method": "GET"]), ("POST", preflight),
        ] as [(String, [String: String])] {
            #expect(try bench.connect().ask(method, "/token?tripID=a", fields: fields).status == 405)
        }
        #expect(try client.ask("OPTIONS", "/healthz", fields: preflight).status == 405)
    }

    @Test func `an allowed origin may read new and cached tokens and errors`() throws {
        let bench = try bench()
        let client = try bench.connect()
        for target in ["/token?tripID=a", "/token?tripID=a", "/token/consumer/a", "/token?tripID=*", "/token/nothing"] {
            let answer = try client.ask("GET", target, fields: ["Origin": Self.app])
            #expect(answer.fields["access-control-allow-origin"] == Self.app)
            #expect(answer.fields["vary"] == "Origin")
            #expect(answer.fields["access-control-allow-credentials"] == nil)
        }
    }

    @Test(arguments: [
        "https://app.example.com.evil.example", "https://evilapp.example.com", "https://app.example.com:8443",
        "http://app.example.com", "https://APP.example.com", "null", "*", "https://app.example.com/",
    ])
    func `any other origin is refused, with Vary set for caches`(origin: String) throws {
        let bench = try bench()
        let client = try bench.connect()
        let answer = try client.ask("GET", "/token?tripID=a", fields: ["Origin": origin])
        #expect(answer.status == 200)
        #expect(answer.fields["access-control-allow-origin"] == nil)
        #expect(answer.fields["vary"] == "Origin")
        let preflight = try client.ask(
            "OPTIONS", "/token?tripID=a", fields: ["Origin": origin, "Access-Control-Request-Method": "GET"])
        #expect(preflight.status == 403)
        #expect(try preflight.json()["code"] as? String == "origin_not_allowed")
        #expect(preflight.fields["access-control-allow-origin"] == nil)
    }

    @Test func `a preflight gets the allowed methods and headers`() throws {
        let bench = try bench()
        let answer = try bench.connect().ask(
            "OPTIONS", "/token/consumer/a", fields: ["Origin": Self.app, "Access-Control-Request-Method": "GET"])
        #expect(answer.status == 204)
        #expect(answer.fields["access-control-allow-origin"] == Self.app)
        #expect(answer.fields["access-control-allow-methods"] == "GET, HEAD")
        #expect(answer.fields["access-control-allow-headers"] == "Authorization, X-Key")
        #expect(answer.fields["access-control-max-age"] == "600")
        #expect(answer.fields["vary"] == "Origin")
    }

    @Test func `OPTIONS without a preflight gets the allowed methods`() throws {
        let bench = try bench()
        let answer = try bench.connect().ask("OPTIONS", "/token")
        #expect(answer.status == 204)
        #expect(answer.fields["allow"] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: ["POST", "DELETE", "TRACE"])
    func `another method gets 405 with the same Allow as OPTIONS`(method: String) throws {
        let bench = try bench()
        let answer = try bench.connect().ask(method, "/token/consumer/a", fields: ["Origin": Self.app])
        #expect(answer.status == 405)
        #expect(answer.fields["allow"] == "GET, HEAD, OPTIONS")
        #expect(answer.fields["access-control-allow-origin"] == Self.app)
        #expect(answer.fields["vary"] == "Origin")
    }

    @Test func `a request without an origin is answered with Vary for caches`() throws {
        let bench = try bench()
        let answer = try bench.connect().ask("GET", "/token?tripID=a")
        #expect(answer.status == 200)
        #expect(answer.fields["vary"] == "Origin")
        #expect(answer.fields["access-control-allow-origin"] == nil)
    }
}
