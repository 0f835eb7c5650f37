import TestSupport
import Foundation
import Testing

/// Which web pages of other origins may send requests (Fetch Standard, section 3.3), tested without a browser.
@Suite(.blocking) struct CORSTests {
    static let origin = "https://app.example.com"
    static let preflight = [
        "-X", "OPTIONS", "-H", "Access-Control-Request-Method: GET",
        "-H", "Access-Control-Request-Headers: authorization",
    ]
    /// Origins that resemble the allowed one, malformed ones and an unrelated one.
    static let otherOrigins = [
        "https://app.example.com.evil", "https://app.example.com.evil.example", "https://xapp.example.com",
        "https://app.example.com:8443", "https://app.example.com:443", "https://app.example.com/",
        "http://app.example.com", "https://app.example.co", "https://APP.example.com", "HTTPS://app.example.com",
        "app.example.com", "https://app%2Eexample.com", "https://user@app.example.com",
        "https://app.example.com https://evil.example", "https://app.example.com, https://app.example.com", "null", "*",
        "https://*.example.com", "https://evil.example",
    ]

    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    private func daemon(_ origins: String = origin, more: [String: String] = [:]) throws -> DaemonProcess {
        let environment = ["TOKEN_PROVIDER_CORS_ALLOWED_ORIGINS": origins].merging(more) { $1 }
        return try DaemonProcess(scratch: scratch, key: key, environment: environment)
    }

    @Test func `without allowed origins preflights get 403, and answers lack CORS headers`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let origin = ["-H", "Origin: \(Self.origin)"]
        for target in ["/token?tripID=a", "/token/driver/a", "/token?tripID=*"] {
            expectNoCORSHeaders(try Curl("\(daemon.url)\(target)", origin))
            let preflight = try Curl("\(daemon.url)\(target)", Self.preflight + origin)
            #expect(preflight.status == 403)
            #expect(try preflight.json()["code"] as? String == "origin_not_allowed")
            expectNoCORSHeaders(preflight)
        }
    }

    @Test func `without allowed origins any other OPTIONS request gets 405`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let origin = ["-H", "Origin: \(Self.origin)"]
        for (target, fields) in [
            ("/token?tripID=a", []), ("/token?tripID=a", origin), ("/healthz", origin + Self.preflight.dropFirst(2)),
            ("/token?tripID=a", ["-H", "Access-Control-Request-Method: GET"]),
        ] as [(String, [String])] {
            let options = try Curl("\(daemon.url)\(target)", ["-X", "OPTIONS"] + fields)
            #expect(options.status == 405)
            #expect(options.fields["allow"] == "GET, HEAD")
            expectNoCORSHeaders(options)
        }
    }

    @Test func `a preflight of the allowed origin gets methods, headers and max age`() throws {
        let daemon = try daemon(more: [
            "TOKEN_PROVIDER_CORS_ALLOWED_HEADERS": "Authorization, X-Device", "TOKEN_PROVIDER_CORS_MAX_AGE": "2h",
        ])
        for target in [
            "/token", "/token?tripID=a", "/token/consumer/a", "/token/fleet_reader", "/token/javascript/driver/a/",
        ] {
            let answer = try Curl("\(daemon.url)\(target)", Self.preflight + ["-H", "Origin: \(Self.origin)"])
            #expect(answer.status == 204)
            #expect(answer.fields["access-control-allow-origin"] == Self.origin)
            #expect(answer.fields["access-control-allow-methods"] == "GET, HEAD")
            #expect(answer.fields["access-control-allow-headers"] == "Authorization, X-Device")
            #expect(answer.fields["access-control-max-age"] == "7200")
            #expect(answer.fields["access-control-allow-credentials"] == nil)
            #expect(answer.fields["vary"] == "Origin")
            // RFC 9110, section 8.6: a 204 has no Content-Length.
            #expect(answer.fields["content-length"] == nil)
            #expect(answer.body.isEmpty)
        }
    }

    @Test func `every answer to the allowed origin names it, never an asterisk`() throws {
        let daemon = try daemon()
        for target in [
            "/token?tripID=a", "/token?tripID=a", "/token?tripID=a&expiration=relative", "/token/driver/a",
            "/token/driver/a", "/token?tripID=*", "/token?colour=red", "/token/fleet_reader", "/token/unknown/a",
        ] {
            for method in [[], ["--head"], ["-X", "POST"]] {
                let answer = try Curl("\(daemon.url)\(target)", method + ["-H", "Origin: \(Self.origin)"])
                #expect(answer.fields["access-control-allow-origin"] == Self.origin, "\(method) \(target)")
                #expect(answer.fields["access-control-allow-credentials"] == nil)
                #expect(answer.fields["vary"] == "Origin")
                let plain = try Curl("\(daemon.url)\(target)", method)
                #expect(plain.status == answer.status)
                #expect(plain.fields["access-control-allow-origin"] == nil)
                #expect(plain.fields["vary"] == "Origin", "\(method) \(target) without an origin")
            }
        }
    }

    @Test func `limits apply to other methods, and pages can read Retry-After`()
        throws
    {
        let daemon = try daemon(more: [
            "TOKEN_PROVIDER_LIMITS_ADDRESS_RATE": "1", "TOKEN_PROVIDER_LIMITS_ADDRESS_BURST": "2",
            "TOKEN_PROVIDER_PROXIES_TRUSTED": "127.0.0.1",
        ])
        let fields = ["-X", "POST", "-H", "Origin: \(Self.origin)", "-H", "X-Forwarded-For: 192.0.2.1"]
        let answers = try (1...3).map { _ in try Curl("\(daemon.url)/token?tripID=a", fields) }
        #expect(answers.map(\.status) == [405, 405, 429])
        #expect(answers[0].fields["allow"] == "GET, HEAD, OPTIONS")
        #expect(answers[2].fields["retry-after"] != nil)
        for answer in answers {
            #expect(answer.fields["access-control-expose-headers"] == "Retry-After, X-Request-ID")
        }
    }

    @Test func `a preflight of any other origin is 403 without CORS headers`() throws {
        let daemon = try daemon()
        for origin in Self.otherOrigins { try expectRefusal(daemon, ["-H", "Origin: \(origin)"], origin) }
        try expectRefusal(daemon, ["-H", "Origin;"], "an empty origin")
    }

    @Test func `a request with two Origin headers gets no CORS headers`() throws {
        let daemon = try daemon()
        let other = "https://evil.example"
        for (first, second) in [(Self.origin, Self.origin), (Self.origin, other), (other, Self.origin)] {
            let fields = ["-H", "Origin: \(first)", "-H", "Origin: \(second)"]
            expectNoGrant(try Curl("\(daemon.url)/token?tripID=a", Self.preflight + fields), "\(first) and \(second)")
            expectNoGrant(try Curl("\(daemon.url)/token?tripID=a", fields), "\(first) and \(second)")
        }
    }

    @Test func `each of several allowed origins is answered with its own name`() throws {
        let origins = [Self.origin, "http://localhost:3000", "capacitor://localhost", "ionic://localhost"]
        let daemon = try daemon(origins.joined(separator: ","))
        for origin in origins {
            let answer = try Curl("\(daemon.url)/token?tripID=a", ["-H", "Origin: \(origin)"])
            #expect(answer.fields["access-control-allow-origin"] == origin)
        }
        try expectRefusal(daemon, ["-H", "Origin: http://localhost:3001"], "another port")
    }

    @Test func `an OPTIONS request without an origin gets the allowed methods`() throws {
        let daemon = try daemon()
        let answer = try Curl("\(daemon.url)/token", ["-X", "OPTIONS"])
        #expect(answer.status == 204)
        #expect(answer.fields["allow"] == "GET, HEAD, OPTIONS")
        #expect(answer.fields["vary"] == "Origin")
        #expect(answer.fields["access-control-allow-origin"] == nil)
    }

    @Test func `health checks get no CORS headers`() throws {
        let daemon = try daemon()
        expectNoCORSHeaders(try Curl("\(daemon.url)/healthz", ["-H", "Origin: \(Self.origin)"]))
        let options = try Curl("\(daemon.url)/healthz", Self.preflight + ["-H", "Origin: \(Self.origin)"])
        #expect(options.status == 405)
        expectNoCORSHeaders(options)
    }

    @Test(arguments: [
        "*", "null", "https://app.example.com/", "https://*.example.com", "app.example.com", "https://App.example.com",
        "capacitor:localhost", "Ionic://localhost",
    ])
    func `a setting that is not an exact origin is refused`(origin: String) throws {
        let outcome = try Program.run(
            Program.daemon, ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path],
            environment: ["TOKEN_PROVIDER_CORS_ALLOWED_ORIGINS": origin])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("TOKEN_PROVIDER_CORS_ALLOWED_ORIGINS"))
        #expect(outcome.errors.contains("expected an origin as browsers write it"))
    }

    // MARK: -

    private func expectRefusal(_ daemon: DaemonProcess, _ fields: [String], _ who: String) throws {
        let options = try Curl("\(daemon.url)/token?tripID=a", Self.preflight + fields)
        #expect(options.status == 403, "\(who)")
        #expect(options.fields["content-type"] == "application/problem+json")
        #expect(try options.json()["code"] as? String == "origin_not_allowed")
        expectNoGrant(options, who)
        expectNoGrant(try Curl("\(daemon.url)/token?tripID=a", fields), who)
    }

    /// No page may read the answer, and no cache may give it to an allowed page.
    private func expectNoGrant(_ answer: Curl, _ who: String) {
        #expect(answer.fields["vary"] == "Origin", "\(who)")
        let headers = answer.fields.keys.filter { $0.hasPrefix("access-control-") }
        #expect(headers.isEmpty, "\(who): \(headers)")
    }

    private func expectNoCORSHeaders(_ answer: Curl) {
        let headers = answer.fields.keys.filter { $0.hasPrefix("access-control-") || $0 == "vary" }
        #expect(headers.isEmpty, "\(headers)")
    }
}
