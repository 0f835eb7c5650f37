import TestSupport
import Foundation

/// A folder for one test; removed when its owner is released.
final class Scratch {
    let folder: URL

    /// A name can be given where the default is too long; it must be unique.
    init(named name: String = "token-provider-\(UUID().uuidString)") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // A browser's child processes can outlive it and still write to the folder for a moment.
        try? Patience.wait(for: "removal of \(folder.path)", within: .seconds(10)) {
            try? FileManager.default.removeItem(at: folder)
            return !FileManager.default.fileExists(atPath: folder.path)
        }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file, which only its owner can read and write by default.
    @discardableResult
    func write(_ name: String, _ text: String, permissions: Int = 0o600) throws -> String {
        let path = path(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        return path
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}
