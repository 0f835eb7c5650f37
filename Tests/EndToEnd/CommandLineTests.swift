import TestSupport
import Testing

/// Valid and invalid command lines.
@Suite(.blocking) struct CommandLineTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test(arguments: [
        (["serve", "--lisen", "127.0.0.1:0"], "unknown option '--lisen'; did you mean '--listen'?"),
        (["serv", "--listen", "127.0.0.1:0"], "unknown command 'serv'; did you mean 'serve'?"),
        (["help", "serv"], "unknown command 'serv'; did you mean 'serve'?"),
        (["serv", "--help"], "unknown command 'serv'; did you mean 'serve'?"),
    ])
    func `a mistyped flag or subcommand exits 64 and suggests the right one`(
        arguments: [String], sentence: String
    ) throws {
        let outcome = try Program.refusal(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors == "token-provider: \(sentence)\n")
    }

    @Test(arguments: [
        ["serve", "--config", "a", "--config", "b"], ["--credentials", "a", "--credentials", "a"],
        ["mint", "--kind", "server", "--kind=driver"], ["inspect", "T", "--key", "a", "--key", "b"],
    ])
    func `a single-value flag given twice is one error with status 64`(arguments: [String]) throws {
        let outcome = try Program.refusal(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("token-provider: --"))
        #expect(outcome.errors.hasSuffix(" is given more than once; expected it once\n"))
    }

    @Test func `configuration errors come all at once with line and suggestion`()
        throws
    {
        let file = try scratch.write("wrong.yaml", "lisen: 127.0.0.1:0\ntoken:\n  lifetime: 2h\n")
        let outcome = try Program.refusal(["serve", "--config", file])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("\(file):1:1: "))
        #expect(outcome.errors.contains("listen"))
        #expect(outcome.errors.contains("\(file):3:3: token.lifetime"))
    }

    @Test(arguments: [["--listen", "nonsense"], ["--log-level", "loud"], ["--callers", "some"]])
    func `an invalid flag value is a usage error with status 64`(flags: [String]) throws {
        let key = try ServiceAccountFile(in: scratch)
        let outcome = try Program.refusal(["serve", "--credentials", key.path] + flags)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("token-provider: \(flags[0]): "))
        #expect(outcome.errors.contains("expected"))
    }

    @Test(arguments: ["setenv(\"ADDED\", \"1\", 1)", "clearenv()"])
    func `arguments survive a preloaded library that changes the environment`(call: String) throws {
        let library = try preloaded("__attribute__((constructor)) static void change(void) { \(call); }")
        let key = try ServiceAccountFile(in: scratch)
        // What the default command would serve by.
        let served = [
            "LD_PRELOAD": library, "TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_CREDENTIALS": key.path,
        ]
        let health = try Program.run(
            Program.daemon, ["health", "--url", "unix:\(scratch.path("none"))"], environment: served)
        #expect(health.status == 1 && health.output == "", "\(health)")
        #expect(try Program.run(Program.daemon, ["--version"], environment: served).output == "0.2.0\n")
        let sockets = try Scratch()
        // Without variables the admin listener would have its usual port.
        let file = try sockets.write("c.yaml", "admin: {listen: []}")
        let daemon = try DaemonProcess(
            [
                "serve", "--config", file, "--listen", "unix:\(sockets.path("app"))", "--credentials", key.path,
                "--callers", "none",
            ],
            environment: ["LD_PRELOAD": library, "TOKEN_PROVIDER_SIGNING_PROCESS": "separate"], scratch: scratch)
        #expect(daemon.url == "unix:\(sockets.path("app"))")
    }

    /// A library of this C text.
    private func preloaded(_ text: String) throws -> String {
        let source = try scratch.write("preloaded.c", "#define _GNU_SOURCE\n#include <stdlib.h>\n\(text)\n")
        try Program.mustRun("clang", ["-shared", "-fPIC", "-o", scratch.path("preloaded.so"), source])
        return scratch.path("preloaded.so")
    }

    @Test func `--help prints usage and --version prints the version`() throws {
        let help = try Program.run(Program.daemon, ["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("token-provider demo"))
        #expect(help.output.contains("\nExit status:\n  0   success"))
        let serve = try Program.run(Program.daemon, ["serve", "--help"])
        #expect(serve.output.contains("--callers"))
        #expect(try Program.run(Program.daemon, ["help", "serve"]).output == serve.output)
        let version = try Program.run(Program.daemon, ["--version"])
        #expect(version.output == "0.2.0\n")
    }

    @Test func `reports and help are wrapped on a terminal, not in a pipe`() throws {
        let files = try CallerFiles()
        let config = try files.configuration(
            "rules:\n  - {name: a-rule, kinds: [consumer], ids: {tripID: {claim: trips}}}")
        let token = try files.token()
        for arguments in [
            ["check", "--config", config], ["explain", "--config", config, "--as", token, "--trip", "t-1"],
            ["inspect", token], ["inspect", "--help"], ["doctor", "--help"],
        ] {
            let terminal = try PythonClients.run(
                "terminal.py", ["60", "env", "NO_COLOR=1", Program.daemon] + arguments)
            let shown = try #require(terminal["text"] as? String)
            let lines = shown.split(separator: "\n")
            // The argument parser does not wrap the usage.
            let long = lines.filter { line in
                let text = line.drop { $0 == " " }
                let hasLongWord = text.split(separator: " ").contains { $0.count > 30 }
                return line.count > 60 && !hasLongWord && !line.hasPrefix("USAGE:") && text.first != "\""
            }
            #expect(long.isEmpty, "\(arguments[0]): \(long)")
            guard arguments.last != "--help" else { continue }
            let piped = try Program.run(Program.daemon, arguments)
            #expect(piped.output.split(separator: "\n").contains { $0.count > 60 }, "\(arguments[0])")
            let words = { (text: String) in text.split { " \n".contains($0) } }
            #expect(words(piped.output + piped.errors).sorted() == words(shown).sorted(), "\(arguments[0])")
        }
    }
}
