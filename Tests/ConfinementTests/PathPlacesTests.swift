import Foundation
import Testing

@testable import Confinement

/// The places that let a file be opened now and after it was replaced.
@Suite struct PathPlacesTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func places(_ path: String) -> Set<String> { PathPlaces.leading(to: folder.path(path)) }

    @Test func `a file needs its folder, existing or not`() throws {
        let key = try folder.write("keys/key.json")
        #expect(places("keys/key.json") == [key, folder.path("keys")])
        #expect(places("keys/later.json") == [folder.path("keys")])
        #expect(places("nowhere/key.json") == [])
    }

    @Test func `Kubernetes may replace the folder to which its link leads`() throws {
        let key = try folder.write("mounted/..2026/key.json")
        try folder.link("mounted/..data", to: "..2026")
        try folder.link("mounted/key.json", to: "..data/key.json")
        #expect(places("mounted/key.json") == [key, folder.path("mounted"), folder.path("mounted/..2026")])
    }

    @Test func `a link to another folder allows its next target there`() throws {
        let key = try folder.write("archive/example/key1.pem")
        _ = try folder.write("live/example/README")
        try folder.link("live/example/key.pem", to: "../../archive/example/key1.pem")
        #expect(places("live/example/key.pem") == [key, folder.path("live/example"), folder.path("archive/example")])
    }

    @Test func `a folder behind an absolute link allows the folders beside it`() throws {
        let key = try folder.write("releases/1/key.json")
        try folder.link("current", to: folder.path("releases/1"))
        #expect(places("current/key.json") == [key, folder.path("releases/1"), folder.path("releases")])
    }

    @Test func `what is written needs only the last folder`() throws {
        let log = try folder.write("releases/1/audit")
        try folder.link("current", to: folder.path("releases/1"))
        try folder.link("log", to: "current/audit")
        for (path, places) in [
            ("current/audit", [log, folder.path("releases/1")]),
            ("log", [log, folder.path(""), folder.path("releases/1")]), ("current/new", [folder.path("releases/1")]),
        ] { #expect(PathPlaces.leading(to: folder.path(path), linksMayChange: false) == Set(places)) }
    }

    @Test(arguments: ["/token-provider-nowhere", "/dev/null", "/proc/self/status", "/dev/stdin"])
    func `no file allows the root, all devices or processes`(path: String) {
        let found = PathPlaces.leading(to: path)
        #expect(found.isDisjoint(with: ["/", "/dev", "/proc"]))
        #expect(!found.contains { $0.hasPrefix("/proc/") })
    }

    @Test func `a loop of links ends`() throws {
        try folder.link("first", to: "second")
        try folder.link("second", to: "first")
        #expect(places("first") == [folder.path("")])
    }
}

/// A folder for one test, by its real path; removed when its owner is released.
final class TemporaryFolder {
    private let root: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "confinement-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let resolved = try #require(realpath(folder.path, nil))
        defer { free(resolved) }
        root = String(cString: resolved)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(_ name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }

    /// Writes a file in folders that it creates, and returns its path.
    func write(_ name: String) throws -> String {
        let file = URL(filePath: path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("content".utf8).write(to: file)
        return file.path
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }
}
