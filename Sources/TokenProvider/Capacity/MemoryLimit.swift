import Glibc
import SystemFiles

/// How much memory this process may use: the limit of its control group, or what the machine has.
struct MemoryLimit: Equatable {
    enum Source: String {
        case controlGroup = "the cgroup's limit"
        case machine = "the machine's memory"
    }

    let bytes: Int
    let source: Source

    /// The limit of this process.
    static func current() -> MemoryLimit {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return MemoryLimit(machine: machine) { path in
            (try? SystemFile(path: path).read(atMost: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension MemoryLimit {
    /// The least of the limits that `read` finds in the files of version 2 (Linux' cgroup-v2.rst: memory.max) and of
    /// version 1 (memory.rst: memory.limit_in_bytes), for the group and those above it, if it is under the machine's
    /// bytes. Nothing tells whether a group's path is as seen from here or from outside a container, so the root of what
    /// is mounted is always asked, too.
    init(machine: Int, reading read: (String) -> String?) {
        let groups = (read("/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { ControlGroup($0) }
        let limits = groups.flatMap(\.limitFiles).compactMap { read($0) }.compactMap { text in
            Int(text.prefix { $0 != "\n" })
        }
        let least = limits.filter { $0 > 0 }.min() ?? .max
        (bytes, source) = least < machine ? (least, .controlGroup) : (machine, .machine)
    }
}

/// A line of /proc/self/cgroup that says in which group memory is counted (cgroups(7)): `0::PATH`, or
/// `NUMBER:CONTROLLERS:PATH`.
private struct ControlGroup {
    private let isUnified: Bool
    private let path: Substring

    init?(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        isUnified = parts[1].isEmpty
        guard isUnified || parts[1].split(separator: ",").contains("memory") else { return nil }
        path = parts[2]
    }

    /// The files of its limit and of those above it, up to the root.
    var limitFiles: [String] {
        let roots =
            isUnified ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] : ["/sys/fs/cgroup/memory"]
        let name = isUnified ? "memory.max" : "memory.limit_in_bytes"
        let names = path.split(separator: "/")
        return roots.flatMap { root in
            (0...names.count).map { count in
                ([root] + names.prefix(count).map(String.init) + [name]).joined(separator: "/")
            }
        }
    }
}
