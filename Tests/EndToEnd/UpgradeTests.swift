import TestSupport
import Foundation
import Testing

/// One daemon replaces another on the same address under load.
@Suite(.blocking, .tags(.threadSanitizer)) struct UpgradeTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    @Test func `a daemon that shares the port takes over without client errors`() throws {
        let environment = ["TOKEN_PROVIDER_HTTP_SHARE_PORTS": "true", "TOKEN_PROVIDER_CALLERS": "none"]
        let command =
            environment.map { "\($0)=\($1)" } + [
                "TOKEN_PROVIDER_ADMIN_LISTEN=", "python3", PythonClients.path("upgrade_load.py"), Program.daemon,
                scratch.folder.path, key.path, "16", "5",
            ]
        let output = try Program.mustRun("/usr/bin/env", command)
        let facts = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        for error in ["refused", "failed_to_connect", "lost", "answered_otherwise"] {
            #expect(facts[error] as? Int == 0, "\(facts)")
        }
        #expect(try #require(facts["answered"] as? Int) >= 6000)
    }

    @Test func `a second daemon that does not share the port cannot start`() throws {
        let shared = ["TOKEN_PROVIDER_HTTP_SHARE_PORTS": "true"]
        let first = try DaemonProcess(scratch: scratch, key: key, environment: shared)
        let outcome = try Program.run(
            Program.daemon, ["serve", "--listen", "127.0.0.1:\(first.port)", "--credentials", key.path])
        #expect(outcome.status == 1)
        #expect(outcome.sentences == ["\(Program.inUse("127.0.0.1:\(first.port)"))"])
    }
}
