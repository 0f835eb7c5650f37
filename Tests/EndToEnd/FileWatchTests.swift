import TestSupport
import Foundation
import Testing

/// Files that the real binary watches.
@Suite(.blocking, .tags(.threadSanitizer)) struct FileWatchTests {
    let scratch: Scratch
    let keys: [ServiceAccountFile]

    init() throws {
        let scratch = try Scratch()
        self.scratch = scratch
        keys = try (0..<2).map { number in
            let folder = scratch.path("..data-\(number)")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            return try ServiceAccountFile(
                in: scratch, name: "..data-\(number)/key", keyID: String(repeating: "\(number)", count: 40))
        }
    }

    /// A daemon whose key is reached through links as Kubernetes creates them: `key.json` in `..data`, itself a link.
    private func daemon() throws -> DaemonProcess {
        try link("..data-0")
        try #require(symlink("..data/key.json", scratch.path("key.json")) == 0)
        try write("credentials: key.json")
        return try DaemonProcess(["serve", "--config", scratch.path("t.yaml")], scratch: scratch)
    }

    private func link(_ folder: String) throws {
        try #require(symlink(folder, scratch.path("..data_tmp")) == 0)
        try #require(rename(scratch.path("..data_tmp"), scratch.path("..data")) == 0)
    }

    /// Replaces the file in one step, as editors that rename do.
    private func write(_ lines: String) throws {
        try scratch.write("new", "listen: 127.0.0.1:0\ncallers: none\nreload: {watch: 100ms}\n\(lines)\n")
        try #require(rename(scratch.path("new"), scratch.path("t.yaml")) == 0)
    }

    private func reloads(_ daemon: DaemonProcess, _ text: String = "was reloaded") throws -> Int {
        try daemon.log().components(separatedBy: text).count - 1
    }

    @Test func `a secret swapped behind symbolic links is reloaded`() throws {
        let daemon = try daemon()
        let before = try Curl("\(daemon.url)/token?tripID=a").body
        try link("..data-1")
        try daemon.waitForLog("was reloaded")
        #expect(try Curl("\(daemon.url)/token?tripID=a").body != before)
    }

    @Test func `a broken file is reported once, and the next valid one loads`() throws {
        let daemon = try daemon()
        try write("credentials: later.json")
        try daemon.waitForLog("not reloaded")
        // The file that only the broken configuration names appears. Checks until then changed nothing.
        let text = try String(contentsOfFile: keys[1].path, encoding: .utf8)
        try scratch.write("later.json", text)
        try daemon.waitForLog("was reloaded")
        #expect(try reloads(daemon, "not reloaded") == 1)
        #expect(try reloads(daemon) == 1)
    }
}
