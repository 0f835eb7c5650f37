import TestSupport
import Foundation
import Testing

/// What settings change, with the real binary.
@Suite(.blocking) struct SettingsTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// A daemon with this configuration, besides its address and key.
    private func daemon(_ configuration: String, environment: [String: String] = [:]) throws -> DaemonProcess {
        let file = try scratch.write("token-provider.yaml", "listen: 127.0.0.1:0\ncallers: none\n\(configuration)\n")
        return try DaemonProcess(
            ["serve", "--config", file, "--credentials", key.path], environment: environment, scratch: scratch)
    }

    @Test func `answers use the configured member names, including ones that need escaping`() throws {
        let daemon = try daemon(
            #"""
            answer:
              trip_token_key: jwt
              vehicle_token_key: "driver \"token\" \\ n°1"
              expiration_key: expiresAtSeconds
            """#)
        let trip = try Curl("\(daemon.url)/token?tripID=a").json()
        #expect(Set(trip.keys) == ["jwt", "expiresAtSeconds"])
        let vehicle = try Curl("\(daemon.url)/token?vehicleID=a").json()
        #expect(Set(vehicle.keys) == ["jwt", "driver \"token\" \\ n°1", "expiresAtSeconds"])
        #expect(vehicle["jwt"] as? String == vehicle["driver \"token\" \\ n°1"] as? String)
        #expect(try #require(trip["jwt"] as? String).split(separator: ".").count == 3)
        #expect(trip["expiresAtSeconds"] is Int)
    }

    @Test func `answer.expiration sets the default for requests that do not specify it`() throws {
        let daemon = try daemon("answer:\n  expiration: relative\ntoken:\n  lifetime: 30m\n  backdate: 1m")
        // 30 minutes minus one minute of backdate and one minute of margin.
        let first = try Curl("\(daemon.url)/token?tripID=a").json()
        let seconds = try #require(first["TOKEN_EXPIRATION"] as? Int)
        #expect((1600...1680).contains(seconds))
        let absolute = try Curl("\(daemon.url)/token?tripID=a&expiration=absolute").json()
        let end = try #require(absolute["TOKEN_EXPIRATION"] as? Int)
        #expect(abs(end - Int(Date().timeIntervalSince1970) - seconds) < 60)
        #expect(first["TRIP_TOKEN_KEY"] as? String == absolute["TRIP_TOKEN_KEY"] as? String)
    }

    @Test func `ignored_parameters are ignored, and other unknown parameters are refused`() throws {
        let daemon = try daemon("request:\n  ignored_parameters: [utm_source, x-gateway]")
        let plain = try Curl("\(daemon.url)/token?tripID=a")
        for query in ["tripID=a&utm_source=mail", "x-gateway=1&tripID=a&x-gateway=2", "utm%5Fsource&tripID=a"] {
            #expect(try Curl("\(daemon.url)/token?\(query)").body == plain.body)
        }
        let typo = try Curl("\(daemon.url)/token?tripID=a&utm_sauce=mail")
        #expect(typo.status == 400)
        #expect(
            try typo.json()["detail"] as? String
                == "The query parameter \"utm_sauce\" is not known; expected one of tripID, vehicleID, deliveryVehicleID, "
                + "trackingID, taskID, taskIDs, expiration, format.")
        #expect(try Curl("\(daemon.url)/token?utm_source=a").json()["code"] as? String == "missing_id")
    }

    @Test func `a path prefix is ignored over both protocols until a reload`() throws {
        let daemon = try daemon(
            "request: {path_prefix: /fleet/v1}\nhttp2: {prior_knowledge: true}", environment: DaemonProcess.withAdmin)
        func status(_ path: String, _ more: [String] = []) throws -> Int {
            try Curl("\(daemon.url)\(path)", ["--path-as-is"] + more).status
        }
        let served = ["/fleet/v1/token?tripID=a", "/fleet/v1/token/consumer/a", "/fleet/v1/healthz", "/token?tripID=a"]
        let others = ["/fleet/v1token?tripID=a", "/fleet/token?tripID=a", "/fleet/v1/../token?tripID=a", "/fleet/v1"]
        for more in [[], ["--http2-prior-knowledge"]] {
            for path in served { #expect(try status(path, more) == 200, "\(path)") }
            for path in others { #expect(try status(path, more) == 404, "\(path)") }
        }
        // Logs and metrics have the paths without it.
        let log = try daemon.log()
        #expect(log.contains(" path=/token status=200 "))
        #expect(!log.contains("/fleet"))
        let scrape = try Scrape(daemon.adminURL())
        #expect(scrape.sum("requests_total", #"route="/token""#, #"status="200""#) == 4)
        try scratch.write("token-provider.yaml", "listen: 127.0.0.1:0\ncallers: none\nhttp2: {prior_knowledge: true}\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try status(served[0]) == 404)
        for wrong in ["fleet", "/fleet/", "/", "/a//b", "/a/../b", "/a%20b", "\"\"", "/token", "/token/v1", "/healthz"]
        {
            let path = try scratch.write("wrong.yaml", "request: {path_prefix: \(wrong)}\n")
            let outcome = try Program.run(Program.daemon, ["check", "--config", path, "--credentials", key.path])
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("request.path_prefix"), "\(wrong): \(outcome.errors)")
        }
    }

    @Test func `log level warning omits access lines and notices but keeps warnings`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: key.path)
        let daemon = try daemon("log:\n  level: warning")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try Curl("\(daemon.url)/nowhere").status == 404)
        #expect(try daemon.end() == 0)
        let lines = try daemon.log().split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains("Z warning ") })
        #expect(lines.filter { $0.contains("reason=\"\(key.path): others can read this file") }.count == 1)
    }

    @Test func `a token is reused only while the configured lifetime fraction remains`() throws {
        // Reused only in the first second, while the whole lifetime remains.
        let never = try daemon(
            "cache:\n  reuse_fraction: 1\ntoken:\n  lifetime: 60s\n  backdate: 0s\n  client_margin: 0s")
        let first = try Curl("\(never.url)/token?tripID=a").body
        try nextSecond()
        #expect(try Curl("\(never.url)/token?tripID=a").body != first)
        // Reused while half of the 4 seconds remains: first the same token, then another one.
        let half = try daemon(
            "cache:\n  reuse_fraction: 0.5\ntoken:\n  lifetime: 4s\n  backdate: 0s\n  client_margin: 1s")
        let cached = try fetched(half)
        var last = cached
        try Patience.wait(for: "another token") {
            last = try fetched(half)
            #expect(last.token != cached.token || last.before <= cached.issued + 2)
            return last.token != cached.token
        }
        #expect(last.issued > cached.issued + 2)
        // Reused until it expires.
        let always = try daemon(
            "cache:\n  reuse_fraction: 0\ntoken:\n  lifetime: 60s\n  backdate: 1s\n  client_margin: 0s")
        let body = try Curl("\(always.url)/token?tripID=a").body
        try nextSecond()
        #expect(try Curl("\(always.url)/token?tripID=a").body == body)
    }

    @Test(arguments: [
        (["TOKEN_PROVIDER_LISTENN": "127.0.0.1:0"], "TOKEN_PROVIDER_LISTENN", "did you mean TOKEN_PROVIDER_LISTEN?"),
        (["TOKEN_PROVIDER_LOG_LEVLE": "info"], "TOKEN_PROVIDER_LOG_LEVLE", "did you mean TOKEN_PROVIDER_LOG_LEVEL?"),
        (["TOKEN_PROVIDER_PORT": "80"], "TOKEN_PROVIDER_PORT", "is not a setting"),
    ])
    func `an unknown TOKEN_PROVIDER_ variable is an error that names it`(
        environment: [String: String], name: String, meant: String
    ) throws {
        let outcome = try Program.run(
            Program.daemon, ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path], environment: environment)
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("token-provider: "))
        #expect(outcome.errors.contains("environment \(name): "))
        #expect(outcome.errors.contains(meant), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func `variables that Kubernetes sets for a service are not settings`() throws {
        let daemon = try daemon(
            "",
            environment: [
                "TOKEN_PROVIDER_SERVICE_HOST": "10.0.0.1", "TOKEN_PROVIDER_SERVICE_PORT": "80",
                "TOKEN_PROVIDER_PORT_80_TCP_ADDR": "10.0.0.1", "TOKEN_PROVIDER_PORT": "tcp://10.0.0.1:80",
            ])
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
    }

    @Test func `flags override the environment, which overrides the file, which overrides defaults`() throws {
        let file = try scratch.write(
            "wins.yaml",
            "listen: 127.0.0.1:0\ncallers: none\nanswer: {trip_token_key: file, expiration_key: file_end}\n")
        let daemon = try DaemonProcess(
            ["serve", "--config", file, "--credentials", key.path, "--log-format", "json"],
            environment: ["TOKEN_PROVIDER_ANSWER_TRIP_TOKEN_KEY": "variable", "TOKEN_PROVIDER_LOG_FORMAT": "text"],
            scratch: scratch)
        #expect(try Set(Curl("\(daemon.url)/token?tripID=a").json().keys) == ["variable", "file_end"])
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    }

    // MARK: Times

    private struct Fetched {
        let token: String
        /// The token's `iat`, in seconds since the epoch.
        let issued: Int
        /// The time just before the request.
        let before: Int
    }

    private func fetched(_ daemon: DaemonProcess) throws -> Fetched {
        let before = Int(Date().timeIntervalSince1970)
        let json = try Curl("\(daemon.url)/token?tripID=a").json()
        let token = try #require(json["TRIP_TOKEN_KEY"] as? String)
        // The lifetime is 4 s and the margin 1 s.
        return Fetched(token: token, issued: try #require(json["TOKEN_EXPIRATION"] as? Int) - 3, before: before)
    }

    /// Waits for the next whole second, because times in tokens are whole seconds.
    private func nextSecond() throws {
        let second = Int(Date().timeIntervalSince1970)
        while Int(Date().timeIntervalSince1970) == second { _ = try Program.run("true", []) }
    }
}
