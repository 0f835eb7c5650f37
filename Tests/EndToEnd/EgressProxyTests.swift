import TestSupport
import Foundation
import Testing

/// Requests to other services through tinyproxy, which asks for a password; nginx ends TLS before the services.
@Suite(.blocking, .tags(.addressSanitizer)) struct EgressProxyTests {
    private static let password = "canary-pass-word"

    private let scratch: Scratch
    private let authority: TestAuthority
    private let google: LoopbackGoogle
    private let provider: KeyServer
    private let backEnd: BackEnd
    private let key: ServiceAccountFile
    private let services: Child
    private let proxy: Child
    /// The services' host and port, which is not this machine's by its text.
    private let host: String
    private let proxyHost: String

    init() throws {
        scratch = try Scratch(inMemory: true)
        authority = try TestAuthority().certify("server", for: ["localhost,IP:0.0.0.0"])
        (google, provider, backEnd) = (try LoopbackGoogle(in: scratch), try KeyServer(), try BackEnd())
        key = try ServiceAccountFile(in: scratch)
        let port = try DocumentedProxyTests.freePort()
        host = "0.0.0.0:\(port)"
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { [scratch] in "\($0)_temp_path \(scratch.path($0));" }.joined(separator: "\n")
        let nginx = try scratch.write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid \(scratch.path("nginx.pid"));
            events {}
            http {
            access_log off;
            \(temporary)
            server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate \(authority.path("server.pem"));
                ssl_certificate_key \(authority.path("server.key"));
                location / { proxy_pass \(google.url); }
                location /jwks { proxy_pass \(provider.url); }
                location /allowed { proxy_pass http://127.0.0.1:\(backEnd.port); }
            }
            }

            """)
        let errors = scratch.path("nginx.log")
        services = try Child(
            DocumentedProxyTests.administrative + ["nginx", "-e", errors, "-c", nginx], errors: .file(errors))
        let proxyPort = try DocumentedProxyTests.freePort()
        proxyHost = "127.0.0.1:\(proxyPort)"
        let tinyproxy = try scratch.write(
            "tinyproxy.conf",
            """
            Port \(proxyPort)
            Listen 127.0.0.1
            Allow 127.0.0.1
            ConnectPort \(port)
            BasicAuth user \(Self.password)
            LogFile "\(scratch.path("tinyproxy.log"))"
            LogLevel Connect

            """)
        proxy = try Child(["tinyproxy", "-d", "-c", tinyproxy])
        try scratch.write("egress", "http://user:\(Self.password)@\(proxyHost)\n")
        let url = "https://localhost:\(port)/jwks"
        try Patience.wait(for: "nginx") { [authority] in (try? Curl(url, ["--cacert", authority.path]).status) == 200 }
        try Patience.wait(for: "tinyproxy") { [proxyHost] in (try? Curl("http://\(proxyHost)/").status) != nil }
    }

    /// A configuration that sends everything to the services, with these settings of `outgoing`.
    private func configuration(_ outgoing: String) throws -> String {
        try scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: \(try #require(google.files["authorized_user"]))
            sign_as: \(KeylessTests.driver)
            outgoing: {ca_file: \(authority.path)\(outgoing.isEmpty ? "" : ", \(outgoing)")}
            issuers: [{issuer: "\(provider.url)", audiences: token-provider, algorithms: RS256, keys: "https://\(host)/jwks"}]
            forward_auth: {url: "https://\(host)/allowed", timeout: 10s}
            rules:
              - {name: callers, issuers: ["\(provider.url)"], kinds: [driver], ids: {vehicleID: any}}
              - {name: riders, kinds: [consumer], forward_auth: true}
            \(google.settings.replacing(": \(google.url)", with: ": https://\(host)"))
            """)
    }

    /// How often the proxy was asked for the services.
    private func connects() throws -> Int { try scratch.text("tinyproxy.log").ranges(of: "CONNECT \(host) ").count }

    private func run(_ command: String, _ outgoing: String, _ environment: [String: String] = [:], _ flags: String...)
        throws -> Outcome
    {
        let outcome = try Program.run(
            Program.daemon, [command, "--config", configuration(outgoing)] + flags,
            environment: ["GOOGLE_APPLICATION_CREDENTIALS": ""].merging(environment) { $1 })
        #expect(!(outcome.output + outcome.errors).contains(Self.password))
        return outcome
    }

    private func end() {
        for child in [services, proxy] { child.end() }
        provider.end()
    }

    @Test func `a proxy with a password carries requests to all services`() throws {
        defer { end() }
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration("proxy: \(scratch.path("egress"))")],
            environment: DaemonProcess.withAdmin.merging(["NO_PROXY": "*"]) { $1 }, scratch: scratch)
        try daemon.waitForLog("proxy=\(proxyHost)")
        let way = "requests over https go through the proxy \(proxyHost)"
        #expect(try daemon.log().contains("reason=\"\(way)\""))
        #expect(try Curl("\(daemon.adminURL())/console/data.json").json()["outgoing"] as? String == way)
        let token = try provider.token()
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1", bearer: token).status == 200)
        #expect(try Curl("\(daemon.url)/token?tripID=allow-1", bearer: "opaque").status == 200)
        #expect(try backEnd.seen().questions.count == 1)
        // One each: connections are used again.
        #expect(try connects() >= 3)
        // A password that no longer fits, as another one in the file after a reload.
        try scratch.write("egress", "http://user:other@\(proxyHost)\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the proxy \(proxyHost) does not accept its credentials")
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1", bearer: token).status == 200)
        try scratch.write("egress", "http://user:\(Self.password)@\(proxyHost)\n")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try Curl("\(daemon.url)/token?tripID=allow-2", bearer: "opaque").status == 200)
        _ = try configuration("proxy: \(scratch.path("egress")), no_proxy: [a.test, 0.0.0.0/8]")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("\(way), except to a.test, 0.0.0.0/8")
        _ = try configuration("")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("requests over https go directly")
        #expect(try !daemon.log().contains(Self.password))
    }

    @Test func `commands use the environment's proxy and name the way of calls`() throws {
        defer { end() }
        let variable = ["HTTPS_PROXY": "user:\(Self.password)@\(proxyHost)/"]
        let through = try run("check", "", variable, "--online")
        #expect(through.status == 0, "\(through.errors)")
        #expect(through.output.contains("the keys of \(provider.url) were fetched through the proxy \(proxyHost)\n"))
        let direct = try run(
            "check", "", variable.merging(["NO_PROXY": "x.test, 0.0.0.0/8"]) { $1 }, "--online", "--json")
        #expect(try direct.json()["fetched"] as? [String] == ["the keys of \(provider.url) were fetched directly"])
        let excepted = try run("check", "no_proxy: 0.0.0.0", variable, "--online", "--json")
        #expect(try excepted.json()["fetched"] as? [String] == ["the keys of \(provider.url) were fetched directly"])
        let count = try connects()
        let doctor = try run("doctor", "", variable)
        #expect(doctor.status == 0, "\(doctor.output)")
        #expect(doctor.output.contains("reached\n\(host) through the proxy \(proxyHost)\n"), "\(doctor.output)")
        #expect(doctor.output.contains("\(google.host) directly\n"))
        #expect(try run("jwks", "", variable).status == 0)
        #expect(try connects() >= count + 2)
    }

    @Test func `what a proxy refuses is named, and its password never`() throws {
        defer { end() }
        for (proxy, reason) in [
            ("http://\(proxyHost)", "does not accept its credentials, or asks for some (status 407)"),
            ("http://user:other@\(proxyHost)", "does not accept its credentials, or asks for some (status 401)"),
        ] {
            let outcome = try run("check", "proxy: \"\(proxy)\"", [:], "--online", "--json")
            #expect(outcome.status == 1)
            let errors = try #require(outcome.json()["errors"] as? [String])
            #expect(errors.contains { $0.hasSuffix("\(host) cannot be reached: the proxy \(proxyHost) \(reason)") })
            #expect(!outcome.output.contains("other@"))
        }
        let doctor = try run("doctor", "proxy: \"http://user:other@\(proxyHost)\"")
        #expect(doctor.status == 1 && doctor.output.contains("have the proxy \(proxyHost) allow CONNECT to \(host)"))
        for (name, value) in [
            ("HTTPS_PROXY", "https://user:\(Self.password)@\(proxyHost)"),
            ("https_proxy", "user:\(Self.password)@proxy:x"),
            ("TOKEN_PROVIDER_OUTGOING_PROXY", "user:\(Self.password)@proxy"),
        ] {
            let refused = try run("check", "", [name: value])
            #expect(refused.status == 78)
            #expect(refused.errors.contains("environment \(name): is not a "), "\(refused.errors)")
        }
        try scratch.write("egress", "user:\(Self.password)@proxy:x\n")
        let refused = try run("check", "proxy: \(scratch.path("egress"))")
        #expect(refused.errors.contains("/egress names no proxy; expected http://[USER:PASSWORD@]HOST[:PORT]"))
    }
}
