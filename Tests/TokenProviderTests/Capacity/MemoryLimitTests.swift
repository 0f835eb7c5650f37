import Testing

@testable import TokenProvider

/// The memory limit that the kernel's files tell.
struct MemoryLimitTests {
    private static let machine = 1 << 34

    private func limit(_ files: [String: String]) -> MemoryLimit {
        MemoryLimit(machine: Self.machine) { files[$0] }
    }

    @Test(arguments: [
        [:], ["/proc/self/cgroup": "0::/\n"], ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n"],
        ["/proc/self/cgroup": "5:cpu:/a\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4096\n"],
        ["/proc/self/cgroup": "4:memory:/\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"],
        ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "nonsense\n"],
        ["/proc/self/cgroup": "nonsense\n\n:", "/sys/fs/cgroup/memory.max": "4096\n"],
    ])
    func `without a limit of its group a process has the machine's memory`(files: [String: String]) {
        let limit = limit(files)
        #expect(limit.bytes == Self.machine)
        #expect(limit.source == .machine)
    }

    @Test(arguments: [
        // A systemd service, and a container whose root is its own group.
        ["/proc/self/cgroup": "0::/a/b.service\n", "/sys/fs/cgroup/a/b.service/memory.max": "4096\n"],
        ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "4096\n"],
        // A group above has less.
        [
            "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "8192\n",
            "/sys/fs/cgroup/a/memory.max": "4096\n",
        ],
        // Version 1: alone, with other controllers, and a container that sees its path from outside.
        ["/proc/self/cgroup": "4:memory:/a\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4096\n"],
        ["/proc/self/cgroup": "4:cpu,memory:/a:b\n", "/sys/fs/cgroup/memory/a:b/memory.limit_in_bytes": "4096\n"],
        ["/proc/self/cgroup": "4:memory:/docker/1\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes": "4096\n"],
        // Both versions at once.
        [
            "/proc/self/cgroup": "4:memory:/a\n0::/c\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4096\n",
            "/sys/fs/cgroup/unified/c/memory.max": "max\n",
        ],
    ])
    func `the least limit of the group and those above applies`(files: [String: String]) {
        #expect(limit(files) == limit(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "4096"]))
        #expect(limit(files).bytes == 4096)
        #expect(limit(files).source == .controlGroup)
    }
}
