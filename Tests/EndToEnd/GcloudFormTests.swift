import TestSupport
import Foundation
import Testing

private let hasGcloud = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/gcloud") }

/// The files of credentials that gcloud writes, where it is installed.
@Suite(.blocking, .enabled(if: hasGcloud, "gcloud is not installed")) struct GcloudFormTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `every file that gcloud writes is read`() throws {
        let folder = scratch.path("forms")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let paths = try #require(try PythonClients.run("gcloud_forms.py", [folder]) as? [String: String])
        #expect(paths.count == 9)
        for (name, path) in paths {
            let config = try scratch.write(
                "token-provider.yaml", "callers: none\ncredentials: \(path)\nsign_as: \(KeylessTests.driver)\n")
            let outcome = try Program.run(Program.daemon, ["check", "--config", config])
            #expect(outcome.status == 0, "\(name): \(outcome.errors)")
        }
    }
}
