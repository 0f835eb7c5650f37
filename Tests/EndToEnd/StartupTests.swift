import TestSupport
import Foundation
import Testing

/// Where the program listens, and the error when it cannot start.
@Suite(.blocking) struct StartupTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test func `serve requires a callers setting, and logs callers none beyond loopback`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let file = try scratch.write("silent.yaml", "listen: 127.0.0.1:0\n")
        let outcome = try Program.refusal(["serve", "--config", file, "--credentials", key.path])
        #expect(outcome.status == 78)
        #expect(
            outcome.errors
                == "token-provider: nothing says who may call: token-provider does not start without that; expected "
                + "issuers, api_keys.file, tls.client_ca_file or forward_auth.url, with rules, or --callers none (in the file, "
                + "callers: none), which gives a token to every client that can reach it\n")
        let daemon = try DaemonProcess(
            ["serve", "--listen", "0.0.0.0:0", "--credentials", key.path, "--callers", "none"], scratch: scratch)
        #expect(try Curl("http://127.0.0.1:\(daemon.port)/healthz").body == "ok\n")
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("callers"))
    }

    @Test func `a unix socket replaces a stale one and is removed at exit`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let socket = scratch.path("tokens.sock")
        let arguments = ["serve", "--listen", "unix:\(socket)", "--credentials", key.path]
        let killed = try DaemonProcess(arguments, scratch: scratch)
        try killed.end(by: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: socket))
        let daemon = try DaemonProcess(arguments, scratch: scratch)
        #expect(daemon.url == "unix:\(socket)")
        #expect(try Curl("http://localhost/token?tripID=a", ["--unix-socket", socket]).status == 200)
        let second = try Program.refusal(arguments)
        #expect(second.status == 1)
        #expect(second.sentences == ["\(Program.inUse("unix:\(socket)"))"])
        #expect(try daemon.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func `serve listens on IPv6 and on several addresses at once`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let socket = scratch.path("second.sock")
        let daemon = try DaemonProcess(
            ["serve", "--listen", "[::1]:0", "--listen", "unix:\(socket)", "--credentials", key.path], scratch: scratch)
        #expect(try Curl("\(daemon.url)/healthz", ["--globoff"]).body == "ok\n")
        #expect(try Curl("http://localhost/healthz", ["--unix-socket", socket]).body == "ok\n")
    }

    @Test func `serve refuses to start with too few file descriptors`() throws {
        let key = try ServiceAccountFile(in: scratch)
        // If the daemon starts anyway, it might not handle signals: timeout kills it.
        let limited = "ulimit -n 15; exec timeout -s KILL 20 \"$0\" \"$@\""
        let outcome = try Program.run(
            "/bin/sh",
            ["-c", limited, Program.daemon, "serve", "--listen", "127.0.0.1:0", "--credentials", key.path],
            environment: ["TOKEN_PROVIDER_HTTP_LOOPS": "2"])
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        let sentence = "the limit of file descriptors is 15, which is too low to serve; expected at least 30 (ulimit -n"
        #expect(outcome.errors.contains(sentence))
    }

    @Test func `serve and check warn about fewer descriptors than connections`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let warning = "but the limit of file descriptors is 200; expected a higher limit (ulimit -n, LimitNOFILE=) or"
        let arguments = ["--listen", "127.0.0.1:0", "--credentials", key.path]
        let daemon = try DaemonProcess(limitingDescriptors: 200, ["serve"] + arguments, scratch: scratch)
        #expect(try daemon.end() == 0)
        let warnings = try daemon.log().split(separator: "\n").filter { $0.contains(warning) }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("reason=\"http.max_connections is ") == true)
        let limited = ["-c", "ulimit -n 200; exec \"$0\" \"$@\"", Program.daemon, "check"]
        let checked = try Program.run("/bin/sh", limited + arguments)
        #expect(checked.status == 0)
        #expect(checked.output.contains(warning))
    }

    @Test func `serve and check compare connections with the cgroup's memory`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let limited = ["python3", PythonClients.path("limited_memory.py"), "\(96 << 20)", scratch.path("facts.json")]
        let arguments = ["--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"]
        let many = ["TOKEN_PROVIDER_HTTP_MAX_CONNECTIONS": "16384"]
        let checked = try Program.run(
            "/usr/bin/env", limited + [Program.daemon, "check"] + arguments, environment: many)
        #expect(checked.status == 0)
        let daemon = try DaemonProcess(under: limited, ["serve"] + arguments, environment: many, scratch: scratch)
        #expect(try daemon.end() == 0)
        // Where no cgroup can be made, only data is limited, which is not what the program looks at.
        guard try !scratch.text("facts.json").contains("RLIMIT_DATA") else { return }
        for said in try [checked.output, daemon.log()] {
            #expect(said.contains(/memory: \d+MiB for clients, .+ are 96MiB of 96MiB, the cgroup's limit/), "\(said)")
            #expect(said.contains(/http.max_connections is 16384, but limits.memory \(\d+MiB\) suffices for \d+ idle/))
        }
    }

    @Test func `clients get half of the cgroup's memory by default`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let limited = ["python3", PythonClients.path("limited_memory.py"), "\(512 << 20)", scratch.path("facts.json")]
        let arguments = ["check", "--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"]
        let checked = try Program.run("/usr/bin/env", limited + [Program.daemon] + arguments)
        guard try !scratch.text("facts.json").contains("RLIMIT_DATA") else { return }
        #expect(checked.output.contains("memory: 256MiB for clients, "), "\(checked.output)")
        #expect(checked.output.contains("of 512MiB, the cgroup's limit"), "\(checked.output)")
    }

    @Test func `serve runs when no subcommand is named`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try DaemonProcess(["--listen", "127.0.0.1:0", "--credentials", key.path], scratch: scratch)
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
    }

    @Test func `demo runs without configuration and prints curl commands that work`() throws {
        let demo = try DaemonProcess(["demo", "--listen", "127.0.0.1:0"])
        let json = try Curl("\(demo.url)/token?tripID=trip-1").json()
        #expect(json["TRIP_TOKEN_KEY"] is String)
        #expect(demo.said.contains("Fleet Engine will not accept them"))
        #expect(try !demo.log().contains("how the daemon runs"))
        #expect(demo.said.contains("curl '\(demo.url)/token?tripID=trip-1'"))
        let open = try DaemonProcess(["demo", "--listen", "0.0.0.0:0"])
        let line = try #require(open.said.split(separator: "\n").first { $0.contains("curl '") })
        let url = try #require(line.split(separator: "'").dropFirst().first)
        #expect(url.hasPrefix("http://127.0.0.1:"))
        #expect(try Curl(String(url)).status == 200)
    }

    @Test func `the shipped configuration files run unchanged`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let key = try ServiceAccountFile(in: scratch)
        for name in ["token-provider.yaml", "token-provider.full.yaml"] {
            let daemon = try DaemonProcess(
                [
                    "serve", "--config", root.appending(path: "config/\(name)").path, "--listen", "127.0.0.1:0",
                    "--credentials", key.path, "--callers", "none",
                ], scratch: scratch)
            #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
            #expect(try daemon.end() == 0)
        }
    }
}
