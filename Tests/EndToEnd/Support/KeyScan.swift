import Foundation
import Testing

/// What a search of a process's memory for private keys found.
struct KeyScan {
    /// VmLck in /proc/PID/status.
    let lockedKibibytes: Int
    /// For each key and each of its integers, and for its PEM text, how often it is in each kind of memory.
    let keys: [[String: [String: Int]]]

    init(of process: Int32, for keys: [String]) throws {
        // Memory of a process that forbids dumps is root's.
        let command = (geteuid() == 0 ? [] : ["sudo", "-n"]) + ["python3", PythonClients.path("key_scan.py")]
        let output = try Program.mustRun("/usr/bin/env", command + ["\(process)"] + keys)
        let found = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: [String: Any]])
        let scan = try #require(found["\(process)"])
        lockedKibibytes = try #require(scan["VmLck"] as? Int)
        self.keys = try #require(scan["keys"] as? [[String: [String: Int]]])
    }
}
