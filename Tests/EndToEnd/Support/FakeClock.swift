import TestSupport
import Foundation
import Testing

/// A system clock that jumps: the library of `faketime` adds to it, for one process, the seconds in a file.
struct FakeClock {
    /// Holds the seconds.
    let file: String
    /// What a program must have in its environment.
    let environment: [String: String]

    init(in scratch: Scratch) throws {
        file = scratch.path("clock")
        // In a folder named after the architecture.
        let library = try #require(
            FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
                .map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first(where: FileManager.default.fileExists),
            "expected the package faketime")
        environment = [
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
        try set(0)
    }

    /// Moves the clock to so many seconds from the true time.
    func set(_ offset: Double) throws {
        try Data("\(offset < 0 ? "" : "+")\(offset)\n".utf8).write(to: URL(filePath: file), options: .atomic)
    }
}
