import TestSupport
import Foundation

/// The `openssl` command, the independent party of these tests.
enum OpenSSLCommand {
    /// Runs the command with the arguments and returns its output.
    @discardableResult
    static func run(_ arguments: String...) throws -> String {
        try run(arguments: arguments)
    }

    static func run(arguments: [String]) throws -> String {
        try Child.mustRun(["openssl"] + arguments)
    }

    /// Runs the body with the path of a new folder that is removed afterwards.
    static func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }

    /// A new private key in PEM, made by `openssl genpkey` with the arguments.
    static func newKey(_ algorithm: String, option: String? = nil) throws -> String {
        guard let option else { return try run("genpkey", "-quiet", "-algorithm", algorithm) }
        return try run("genpkey", "-quiet", "-algorithm", algorithm, "-pkeyopt", option)
    }
}
