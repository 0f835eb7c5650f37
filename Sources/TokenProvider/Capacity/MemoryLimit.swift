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
        return MemoryLimit(machine: machine, reading: ControlGroup.text)
    }
}

extension MemoryLimit {
    /// The least of the limits that `read` finds in the files of version 2 (Linux' cgroup-v2.rst: memory.max) and of
    /// version 1 (memory.rst: memory.limit_in_bytes), for the group and those above it, if it is under the machine's
    /// bytes. Nothing tells whether a group's path is as seen from here or from outside a container, so the root of what
    /// is mounted is always asked, too.
    init(machine: Int, reading read: (String) -> String?) {
        let groups = ControlGroup.all(in: read(ControlGroup.list) ?? "").filter(\.limitsMemory)
        let limits = groups.flatMap(\.limitFiles).compactMap { read($0) }.compactMap { text in
            Int(text.prefix { $0 != "\n" })
        }
        let least = limits.filter { $0 > 0 }.min() ?? .max
        (bytes, source) = least < machine ? (least, .controlGroup) : (machine, .machine)
    }
}
