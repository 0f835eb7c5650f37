import Foundation

/// A folder for one test; removed when its owner is released.
package final class Scratch: Sendable {
    package let folder: URL
    private let isMounted: Bool

    /// On disk; or in memory, for audit logs, since no token is given while a disk needs longer than a record may wait; or
    /// with options for mount(8) in a small file system. A name can be given where the default is too long; it must be
    /// unique.
    package init(
        named name: String = "token-provider-\(UUID().uuidString)", inMemory: Bool = false, tmpfs options: String? = nil
    ) throws {
        let memory = URL(filePath: "/dev/shm")
        folder = (inMemory ? memory : FileManager.default.temporaryDirectory).appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        isMounted = options != nil
        if let options { try Child.mustRun(["mount", "-t", "tmpfs", "-o", options, "none", folder.path]) }
    }

    deinit {
        if isMounted { _ = try? Child.mustRun(["umount", "--lazy", folder.path]) }
        // A browser's child processes can outlive it and still write to the folder for a moment.
        try? Patience.wait(for: "removal of \(folder.path)", within: .seconds(10)) {
            try? FileManager.default.removeItem(at: folder)
            return !FileManager.default.fileExists(atPath: folder.path)
        }
    }

    package func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file, which only its owner can read and write by default, and returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String, permissions: Int = 0o600) throws -> String {
        try write(name, Array(text.utf8), permissions: permissions)
    }

    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>, permissions: Int = 0o600) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        return path
    }

    package func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    package func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

    package func lines(_ name: String) throws -> [[UInt8]] {
        try bytes(name).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}
