import Glibc
import SystemFiles

/// What the daemon may use: the limits of its control group (cgroup v2), or else what the machine has.
struct ResourceLimits: Sendable {
    /// Bytes; nil if unknown.
    let memory: Int64?
    /// Thousandths of a processor; nil if unknown.
    let processors: Int64?

    /// The limits of this process.
    init() {
        let group = Self.group(Self.text("/proc/self/cgroup"))
        self.init(
            memory: Self.text("\(group)/memory.max"), processors: Self.text("\(group)/cpu.max"),
            machine: (
                memory: Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE))),
                processors: 1000 * Int64(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            ))
    }

    /// The limits that the texts of `memory.max` and `cpu.max` give, unless the machine has less.
    init(memory: String, processors: String, machine: (memory: Int64, processors: Int64)) {
        let memoryLimit = Self.words(memory).first.flatMap { Int64($0) } ?? machine.memory
        self.memory = [memoryLimit, machine.memory].filter { $0 > 0 }.min()
        let quota = Self.words(processors).compactMap { Int64($0) }
        let isLimited = quota.count == 2 && quota[1] > 0
        self.processors = [isLimited ? 1000 * quota[0] / quota[1] : machine.processors, machine.processors]
            .filter { $0 > 0 }.min()
    }

    /// The folder of the control group that a text of `/proc/self/cgroup` names; in a container that is the root.
    static func group(_ text: String) -> String {
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::/") }
        let path = line?.dropFirst("0::".count) ?? "/"
        return "/sys/fs/cgroup\(path == "/" ? "" : path)"
    }

    private static func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }

    private static func text(_ path: String) -> String {
        String(decoding: (try? SystemFile(path: path).read(atMost: 4096)) ?? [], as: UTF8.self)
    }
}
