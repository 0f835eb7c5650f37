import SystemFiles

/// A line of /proc/self/cgroup (cgroups(7)): `0::PATH` of version 2, or `NUMBER:CONTROLLERS:PATH` of version 1.
struct ControlGroup {
    /// The file that lists the groups of this process.
    static let list = "/proc/self/cgroup"

    /// Whether it is of version 2, where one group has every limit.
    let isUnified: Bool
    private let controllers: [Substring]
    private let path: Substring

    private init?(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        isUnified = parts[1].isEmpty
        controllers = parts[1].split(separator: ",")
        path = parts[2]
    }

    /// The groups in the text of that file.
    static func all(in text: String) -> [ControlGroup] { text.split(separator: "\n").compactMap { ControlGroup($0) } }

    /// The text of a file of the kernel; nil if it cannot be read.
    static func text(_ path: String) -> String? {
        (try? SystemFile(path: path).read(atMost: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether memory is counted in it.
    var limitsMemory: Bool { isUnified || controllers.contains("memory") }

    /// The folder of a group of version 2.
    var folder: String { Self.folder(in: "/sys/fs/cgroup", path.split(separator: "/")) }

    /// The files of its limit of memory and of those above it, up to the root.
    var limitFiles: [String] {
        let roots =
            isUnified ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] : ["/sys/fs/cgroup/memory"]
        let name = isUnified ? "memory.max" : "memory.limit_in_bytes"
        let names = path.split(separator: "/")
        return roots.flatMap { root in
            (0...names.count).map { count in "\(Self.folder(in: root, names.prefix(count)))/\(name)" }
        }
    }

    private static func folder(in root: String, _ names: some Sequence<Substring>) -> String {
        ([root] + names.map(String.init)).joined(separator: "/")
    }
}
