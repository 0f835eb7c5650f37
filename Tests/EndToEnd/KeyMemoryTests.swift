import TestSupport
import Foundation
import Testing

/// Where a running daemon has its private keys, by a search of all its memory.
@Suite(.blocking) struct KeyMemoryTests {
    /// OpenSSL keeps each integer of a key once, and each prime again for Montgomery multiplication.
    private static let kept = ["d": 1, "p": 2, "q": 2, "dp": 1, "dq": 1, "qinv": 1].mapValues { ["locked": $0] }

    let files: TLSFiles

    init() throws { files = try TLSFiles() }

    private func scan(_ daemon: DaemonProcess, _ keys: String...) throws -> KeyScan {
        try KeyScan(of: daemon.process.identifier, for: keys)
    }

    @Test func `keys lie in locked memory once, and their text nowhere`() throws {
        try Program.mustRun(
            "openssl", ["genpkey", "-algorithm", "RSA", "-out", files.scratch.path("rsa.key"), "-quiet"])
        try Program.mustRun(
            "openssl",
            ["req", "-x509", "-new", "-key", files.scratch.path("rsa.key"), "-subj", "/CN=rsa.example"]
                + ["-addext", "subjectAltName=DNS:rsa.example", "-days", "9", "-out", files.scratch.path("rsa.pem")])
        let (daemon, url) = try files.daemon(
            certificates: "\(TLSFiles.certificate), {certificate: rsa.pem, key: rsa.key}")
        for _ in 0..<3 { #expect(try files.ask(url).status == 200) }
        let host = ["--http1.1", "-k", "--connect-to", "rsa.example::127.0.0.1:"]
        let other = try Curl(url.replacing("localhost", with: "rsa.example") + "/token?tripID=trip-2", host)
        #expect(other.status == 200)
        let found = try scan(
            daemon, files.key.path, files.scratch.path("rsa.key"), files.scratch.path("server.key"))
        #expect(found.lockedKibibytes > 0)
        #expect(found.keys[0] == Self.kept.merging(["PEM": [:]]) { $1 })
        #expect(found.keys[1] == Self.kept.merging(["PEM": [:]]) { $1 })
        #expect(found.keys[2]["PEM"] == [:])
        #expect(found.keys[2]["d"] == ["locked": 1])
        #expect(try daemon.end() == 0)
    }

    @Test(.enabled(if: TokenBatchTests.canUseIntel, TokenBatchTests.notRun))
    func `Intel's library leaves no integer of a key elsewhere`() throws {
        let library = try #require(TokenBatchTests.intel)
        let daemon = try DaemonProcess(
            scratch: files.scratch, key: files.key, environment: ["TOKEN_PROVIDER_SIGNING_BATCH": library])
        let verified = try PythonClients.runVerifier(
            "burst_of_ids.py", [daemon.port, files.key.publicKeyPath, "new", "10"])
        #expect(verified["tokens"] as? Int == 400)
        let found = try scan(daemon, files.key.path)
        // Once more each integer that the library takes.
        let kept = ["d": 1, "p": 3, "q": 3, "dp": 2, "dq": 2, "qinv": 2].mapValues { ["locked": $0] }
        #expect(found.keys[0] == kept.merging(["PEM": [:]]) { $1 })
        #expect(try daemon.end() == 0)
    }

    @Test func `a replaced key is in no memory after the reload`() throws {
        let daemon = try DaemonProcess(scratch: files.scratch, key: files.key)
        let old = try files.scratch.write("old.json", files.scratch.text("key.json"))
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        let new = try ServiceAccountFile(in: files.scratch, keyID: "new-key")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try Curl("\(daemon.url)/token?tripID=b").status == 200)
        let found = try scan(daemon, old, new.path)
        #expect(found.keys[0].values.allSatisfy { $0.isEmpty }, "\(found.keys[0])")
        #expect(found.keys[1] == Self.kept.merging(["PEM": [:]]) { $1 })
        #expect(try daemon.end() == 0)
    }

    @Test func `without a limit for locked memory a warning names it`() throws {
        // The limit does not hold for root, unless it may not lock more.
        let incapable = geteuid() == 0 ? ["setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"] : []
        let daemon = try DaemonProcess(
            under: incapable + ["prlimit", "--memlock=0"],
            ["serve", "--listen", "127.0.0.1:0", "--credentials", files.key.path, "--callers", "none"],
            scratch: files.scratch)
        try daemon.waitForLog("KiB with private keys cannot be locked and may be written to swap space")
        #expect(try daemon.log().contains("with a limit of locked memory of 0 KiB; expected"))
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        let found = try scan(daemon, files.key.path)
        #expect(found.lockedKibibytes == 0)
        #expect(found.keys[0]["PEM"] == [:])
        #expect(found.keys[0]["p"]?.values.reduce(0, +) == 2)
        #expect(try daemon.end() == 0)
    }
}
