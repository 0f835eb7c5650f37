import TestSupport
import Foundation
import Testing

/// The admin listener of the real binary.
@Suite(.blocking) struct AdminTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    private func daemon(_ environment: [String: String] = [:]) throws -> DaemonProcess {
        try DaemonProcess(
            scratch: scratch, key: key, environment: DaemonProcess.withAdmin.merging(environment) { $1 })
    }

    @Test func `a ready daemon answers healthz and readyz with 200 and its checks`() throws {
        let daemon = try daemon()
        let admin = try daemon.adminURL()
        let health = try Curl("\(admin)/healthz")
        #expect(health.status == 200)
        #expect(health.body == "{\"alive\":true}\n")
        let readiness = try Curl("\(admin)/readyz")
        #expect(readiness.status == 200)
        // No audit log is configured, so it is not among the checks.
        #expect(readiness.body == "{\"ready\":true,\"checks\":{\"signing\":\"ok\",\"serving\":\"ok\"}}\n")
        for answer in [health, readiness] {
            #expect(answer.fields["content-type"] == "application/json")
            #expect(answer.fields["cache-control"] == "no-store")
        }
    }

    @Test func `a draining daemon stays alive but is not ready`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_HTTP_DRAIN_TIMEOUT": "10m"])
        let admin = try daemon.adminURL()
        // A partial request keeps the drain from ending by itself.
        let held = try PythonClients.start("hold_connection.py", ["127.0.0.1", daemon.port])
        defer { held.terminate() }
        daemon.process.send(SIGTERM)
        try daemon.waitForLog("draining")
        let readiness = try Curl("\(admin)/readyz")
        #expect(readiness.status == 503)
        #expect(readiness.body == "{\"ready\":false,\"checks\":{\"signing\":\"ok\",\"serving\":\"draining\"}}\n")
        #expect(try daemon.cure(of: "serving") == "send clients to another replica until this one has started again")
        #expect(try Curl("\(admin)/healthz").status == 200)
        held.terminate()
        #expect(try daemon.process.wait() == 0)
    }

    @Test func `the admin listener serves the program's version and the jwks keys`() throws {
        let daemon = try daemon()
        let admin = try daemon.adminURL()
        let version = try Program.mustRun(Program.daemon, ["--version"])
        #expect(try Curl("\(admin)/version").body == "{\"version\":\"\(version.dropLast())\"}\n")
        let keys = try Curl("\(admin)/.well-known/jwks.json")
        #expect(keys.fields["content-type"] == "application/jwk-set+json")
        let command = ["jwks", "--json", "--credentials", key.path]
        let printed = try JSONSerialization.jsonObject(with: Data(Program.mustRun(Program.daemon, command).utf8))
        #expect(try keys.json() as NSDictionary == printed as? NSDictionary)
    }

    @Test func `neither listener serves the paths of the other`() throws {
        let daemon = try daemon()
        let admin = try daemon.adminURL()
        for path in ["/readyz", "/version", "/.well-known/jwks.json"] {
            #expect(try Curl("\(daemon.url)\(path)").status == 404, "\(path)")
        }
        for path in ["/token?tripID=a", "/", "/readyz/", "/readyz%20", "/metric"] {
            let answer = try Curl("\(admin)\(path)")
            #expect(answer.status == 404, "\(path)")
            #expect(try answer.json()["code"] as? String == "unknown_path")
            #expect(
                try answer.json()["detail"] as? String == "There is nothing at this path; expected one of /healthz, "
                    + "/readyz, /metrics, /version, /.well-known/jwks.json, /reload.")
        }
    }

    @Test func `HEAD is answered without a body, POST with 405 and Allow`() throws {
        let daemon = try daemon()
        let admin = try daemon.adminURL()
        for path in ["healthz", "readyz", "version", ".well-known/jwks.json"] {
            let head = try Curl("\(admin)/\(path)", ["--head"])
            #expect(head.status == 200)
            #expect(head.body == "")
            let post = try Curl("\(admin)/\(path)", ["-d", "a"])
            #expect(post.status == 405)
            #expect(post.fields["allow"] == "GET, HEAD")
        }
    }

    @Test func `admin.listen accepts a unix socket, and without an address nothing listens`() throws {
        let full = try Program.mustRun(Program.daemon, ["check", "--credentials", key.path, "--json"])
        #expect(full.contains("\"admin\":[]"))
        let path = scratch.path("admin.sock")
        let daemon = try daemon(["TOKEN_PROVIDER_ADMIN_LISTEN": "unix:\(path)"])
        #expect(try daemon.adminURL() == "unix:\(path)")
        #expect(try Curl("http://localhost/readyz", ["--unix-socket", path]).status == 200)
        #expect(try !DaemonProcess(scratch: scratch, key: key).said.contains("admin"))
    }

    @Test func `Host may be an address or a loopback name only`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_ADMIN_ALLOWED_HOSTS": "metrics.internal, tokens"])
        let admin = try daemon.adminURL()
        func status(_ path: String, _ host: String) throws -> Int {
            try Curl("\(admin)\(path)", ["-H", "Host: \(host)"]).status
        }
        for path in ["/healthz", "/readyz", "/metrics", "/version", "/.well-known/jwks.json", "/none"] {
            let answer = try Curl("\(admin)\(path)", ["-H", "Host: rebound.example:8090"])
            #expect(answer.status == 403, "\(path)")
            #expect(try answer.json()["code"] as? String == "host_not_allowed")
        }
        let reload = ["-X", "POST", "-H", "Token-Provider-Request: reload", "-H", "Host: rebound.example"]
        #expect(try Curl("\(admin)/reload", reload).status == 403)
        for host in ["localhost.example", "127.0.0.1.example", "0x7f.1", "2130706433", "localhost@x.example"] {
            #expect([400, 403].contains(try status("/metrics", host)), "\(host)")
        }
        for host in [
            "localhost:8090", "LOCALHOST", "a.localhost.", "127.0.0.1:1", "10.244.1.7:8090", "[::1]:8090", "[fd00::7]",
            "metrics.internal:8090", "Tokens",
        ] {
            #expect(try status("/metrics", host) == 200, "\(host)")
        }
        #expect(try Curl("\(admin)/readyz", ["--http1.0", "-H", "Host:"]).status == 200)
    }

    @Test func `clients of a unix socket may name any host`() throws {
        let path = scratch.path("admin.sock")
        let daemon = try daemon(["TOKEN_PROVIDER_ADMIN_LISTEN": "unix:\(path)"])
        #expect(try daemon.adminURL() == "unix:\(path)")
        #expect(try Curl("http://any.example/readyz", ["--unix-socket", path]).status == 200)
    }

    @Test func `an admin address that is taken or serves apps is refused`() throws {
        let first = try daemon()
        let taken = try String(#require(first.adminURL().split(separator: "/").last))
        let command = ["serve", "--credentials", key.path, "--listen"]
        let second = try Program.run(
            Program.daemon, command + ["127.0.0.1:0"], environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": taken])
        #expect(second.status == 1)
        #expect(second.sentences == ["admin.listen: \(Program.inUse(taken))"])
        let shared = try Program.run(
            Program.daemon, command + ["127.0.0.1:8085"], environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:8085"]
        )
        #expect(shared.status == 78)
        #expect(
            shared.errors
                == "token-provider: environment TOKEN_PROVIDER_ADMIN_LISTEN: \"127.0.0.1:8085\" is also an address for apps; "
                + "expected another address\n")
    }
}
