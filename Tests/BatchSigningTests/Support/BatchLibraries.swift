import TestSupport
import Foundation

@testable import BatchSigning

/// The libraries of these tests: stand-ins that are compiled here and run on any processor, and Intel's own.
enum BatchLibraries {
    /// Computes correctly.
    static let sound = Result { try compiled("sound") }

    /// The path of Intel's library, which `.ci/run` installs from PyPI; nil where it is not named.
    static let intel = ProcessInfo.processInfo.environment["TEST_CRYPTO_MB"].flatMap { $0.isEmpty ? nil : $0 }

    /// Whether Intel's library can be used here.
    static let canUseIntel: Bool = {
        guard let intel else { return false }
        do {
            _ = try CryptoMB.library(at: intel)
            return true
        } catch CryptoMBError.noInstructions {
            return false
        } catch {
            // A library that was named must load.
            return true
        }
    }()

    /// A stand-in with macros of its own, so that no other test has used it.
    static func compiled(_ name: String, _ macros: String...) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "crypto-mb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "crypto_mb.c").path
        let library = folder.appending(path: "\(name).so").path
        try Child.mustRun(
            ["clang", "-O1", "-shared", "-fPIC", "-o", library] + macros.map { "-D\($0)" } + [source, "-lcrypto"])
        return library
    }
}
