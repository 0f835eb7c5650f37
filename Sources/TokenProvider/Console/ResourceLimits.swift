import Glibc

/// What the daemon may use: the limits of its control group, or else what the machine has.
struct ResourceLimits: Sendable {
    /// Bytes.
    let memory: Int64
    /// Thousandths of a processor; nil if unknown.
    let processors: Int64?

    /// The limits of this process.
    init() {
        memory = Int64(MemoryLimit.current().bytes)
        let group = Self.group(ControlGroup.text(ControlGroup.list) ?? "")
        processors = Self.processors(
            ControlGroup.text("\(group)/cpu.max") ?? "", machine: 1000 * Int64(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// The limit that the text of `cpu.max` (cgroup v2) gives, unless the machine has less.
    static func processors(_ text: String, machine: Int64) -> Int64? {
        let quota = text.split { $0 == " " || $0 == "\n" }.compactMap { Int64($0) }
        let isLimited = quota.count == 2 && quota[1] > 0
        return [isLimited ? 1000 * quota[0] / quota[1] : machine, machine].filter { $0 > 0 }.min()
    }

    /// The folder of the control group that a text of `/proc/self/cgroup` names; in a container that is the root.
    static func group(_ text: String) -> String {
        ControlGroup.all(in: text).first(where: \.isUnified)?.folder ?? "/sys/fs/cgroup"
    }
}
