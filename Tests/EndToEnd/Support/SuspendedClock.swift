import Foundation
import TestSupport
import Testing

/// The clocks of a machine that is suspended, for one process.
struct SuspendedClock {
    private let file: String
    /// What a program must have in its environment.
    let environment: [String: String]

    init(in scratch: Scratch) throws {
        file = try scratch.write("suspension", String(repeating: "\0", count: 8))
        let library = scratch.path("suspension.so")
        try Program.mustRun("clang", ["-shared", "-fPIC", "-o", library, PythonClients.path("suspension.c")])
        environment = ["LD_PRELOAD": library, "SUSPENSION_FILE": file]
    }

    /// The machine was suspended for so many seconds in all.
    func set(_ seconds: Int64) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try withUnsafeBytes(of: seconds) { try handle.write(contentsOf: Data($0)) }
        try handle.close()
    }
}
