import TestSupport
import Foundation
import Testing

/// Tokens that are signed several at once, by the real binary with a stand-in for Intel's library, and with the library
/// itself where there is one.
@Suite(.tags(.threadSanitizer)) struct TokenBatchTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    static let intel = ProcessInfo.processInfo.environment["TEST_CRYPTO_MB"].flatMap { $0.isEmpty ? nil : $0 }
    private static let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "BatchSigningTests/Support/crypto_mb.c").path

    /// Whether Intel's library can be used here.
    static let canUseIntel =
        intel != nil && (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains("avx512ifma") == true

    static let notRun: Comment =
        "not run: TEST_CRYPTO_MB does not name Intel's library, or this processor lacks AVX-512 IFMA"

    private func library(_ macros: String...) throws -> String {
        let library = scratch.path("crypto_mb.so")
        try Program.mustRun(
            "clang", ["-O1", "-shared", "-fPIC", "-o", library] + macros.map { "-D\($0)" } + [Self.source, "-lcrypto"])
        return library
    }

    private func daemon(_ setting: String, loops: Int = 1, process: String = "inside") throws -> DaemonProcess {
        let changes = [
            "TOKEN_PROVIDER_SIGNING_BATCH": setting, "TOKEN_PROVIDER_HTTP_LOOPS": "\(loops)",
            "TOKEN_PROVIDER_SIGNING_PROCESS": process,
        ]
        return try DaemonProcess(
            scratch: scratch, key: key, environment: DaemonProcess.withAdmin.merging(changes) { $1 })
    }

    /// The number of distinct valid tokens for new ids, of 400 that are asked for on 40 connections at once.
    private func tokens(_ daemon: DaemonProcess, _ name: String) throws -> Int? {
        try PythonClients.runVerifier("burst_of_ids.py", [daemon.port, key.publicKeyPath, name, "10"])["tokens"] as? Int
    }

    private func checkBatches(_ library: String) throws {
        let daemon = try daemon(library, loops: 2)
        let admin = try daemon.adminURL()
        #expect(try tokens(daemon, "new") == 400)
        let metrics = try Scrape(admin)
        #expect(try #require(metrics["batched_signatures_total"]) >= 3)
        #expect(metrics["wrong_batched_signatures_total"] == 0 && metrics["batch_signing"] == 1)
        #expect(try Curl("\(admin)/readyz").json()["signs_batches"] as? Bool == true)
        let said = "up to 8 at once by \(library), verified by OpenSSL"
        let flags = ["check", "--credentials", key.path, "--callers", "none"]
        let environment = ["TOKEN_PROVIDER_SIGNING_BATCH": library]
        let report = try Program.run(Program.daemon, flags, environment: environment).output
        #expect(report.contains("Signatures\n\(said)\n"))
        let json = try Program.run(Program.daemon, flags + ["--json"], environment: environment).json()
        #expect(json["signing"] as? String == said)
        #expect(try daemon.end() == 0)
    }

    @Test func `tokens that are asked for at once are signed in batches`() throws {
        try checkBatches(library())
    }

    @Test(.enabled(if: canUseIntel, notRun))
    func `Intel's library signs tokens in batches`() throws {
        try checkBatches(#require(Self.intel))
    }

    @Test func `a wrong signature never leaves the daemon and ends the batches`() throws {
        let library = try library("WRONG_FROM=130", "WRONG_LANE=1")
        let daemon = try daemon(library)
        let admin = try daemon.adminURL()
        #expect(try tokens(daemon, "first") == 400)
        try daemon.waitForLog("tokens are no longer signed in batches")
        let fault = "\(library) made a wrong signature"
        #expect(try daemon.log().contains(fault))
        let batched = try Scrape(admin)
        #expect(batched["wrong_batched_signatures_total"] == 1 && batched["batch_signing"] == 0)
        let answer = try Curl("\(admin)/readyz").json()
        #expect(answer["ready"] as? Bool == true && answer["signs_batches"] == nil)
        #expect((answer["warnings"] as? [String])?.contains { $0.contains(fault) } == true)
        // Neither more requests nor a reload use the library again.
        _ = try Program.run(Program.daemon, ["reload", "--url", admin])
        #expect(try tokens(daemon, "second") == 400)
        #expect(try Scrape(admin)["batched_signatures_total"] == batched["batched_signatures_total"])
        #expect(try daemon.end() == 0)
    }

    @Test func `a wrong signature never leaves a signing process either`() throws {
        let daemon = try daemon(library("WRONG_FROM=130", "WRONG_LANE=1"), process: "separate")
        #expect(try tokens(daemon, "new") == 400)
        try daemon.waitForLog("tokens are no longer signed in batches")
        let metrics = try Scrape(daemon.adminURL())
        #expect(metrics["wrong_batched_signatures_total"] == 1 && metrics["signing_process_restarts_total"] == 0)
        #expect(try daemon.end() == 0)
    }

    @Test func `a library that fails its test is reported, not used`() throws {
        let library = try library("WRONG_FROM=9")
        let daemon = try daemon(library)
        #expect(try tokens(daemon, "new") == 400)
        #expect(try daemon.log().contains("tokens are not signed in batches"))
        #expect(try Scrape(daemon.adminURL())["batched_signatures_total"] == 0)
        #expect(try daemon.end() == 0)
    }

    @Test func `a library that is missing or writable by others is a warning`() throws {
        let writable = try library()
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: writable)
        for (path, reason) in [
            (scratch.path("none.so"), "No such file or directory"),
            (writable, "others can write this file and so run code"),
        ] {
            let flags = ["check", "--credentials", key.path, "--callers", "none"]
            let outcome = try Program.run(
                Program.daemon, flags, environment: ["TOKEN_PROVIDER_SIGNING_BATCH": path])
            #expect(outcome.status == 0)
            #expect(
                outcome.output.contains("Signatures\none at a time by OpenSSL (crypto_mb cannot be loaded: \(path)"))
            #expect(outcome.output.contains("warning signing.batch: crypto_mb cannot be loaded: \(path)"))
            #expect(outcome.output.contains(reason), "\(outcome.output)")
        }
    }
}
