import Foundation
import Testing

/// What a search of a process's memory for private keys found.
struct KeyScan {
    /// VmLck in /proc/PID/status.
    let lockedKibibytes: Int
    /// For each key and each of its integers, and for its PEM text, how often it is in each kind of memory.
    let keys: [[String: [String: Int]]]

    init(of process: Int32, for keys: [String]) throws {
        let found = try PythonClients.runAsRoot("key_scan.py", ["\(process)"] + keys)
        let scan = try #require(found["\(process)"] as? [String: Any])
        lockedKibibytes = try #require(scan["VmLck"] as? Int)
        self.keys = try #require(scan["keys"] as? [[String: [String: Int]]])
    }
}
