import ChildProcess
import Foundation

/// A folder of its own for one test, removed with it.
final class Scratch {
    let folder: URL

    /// A name that no other has may be given where a longer one would not do.
    init(named name: String = "token-provider-\(UUID().uuidString)") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // Processes that a browser has begun may outlive it, and write there, for a moment.
        try? Patience.wait(for: "removal of \(folder.path)", within: .seconds(10)) {
            try? FileManager.default.removeItem(at: folder)
            return !FileManager.default.fileExists(atPath: folder.path)
        }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file; its permissions are for its owner alone unless told.
    @discardableResult
    func write(_ name: String, _ text: String, permissions: Int = 0o600) throws -> String {
        let path = path(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        return path
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}
