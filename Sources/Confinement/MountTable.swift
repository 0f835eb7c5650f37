import SystemFiles

/// The mounts that this process sees, by which a file may have several paths (proc_pid_mountinfo(5)).
package struct MountTable: Sendable {
    private typealias Names = [Substring]
    /// A folder of a file system, and where it is shown. Later mounts hide earlier ones at the same point.
    private let mounts: [(device: Substring, root: Names, point: Names)]

    private static let maxBytes = 16 << 20

    /// The table as it is now; empty without `/proc`.
    package init() {
        let bytes = try? SystemFile(path: "/proc/self/mountinfo").read(atMost: Self.maxBytes)
        self.init(parsing: String(decoding: bytes ?? [], as: UTF8.self))
    }

    init(parsing text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            return fields.count > 4 ? (fields[2], Self.names(fields[3]), Self.names(fields[4])) : nil
        }
    }

    /// All paths of a file, this one first, also of one that does not exist yet. Some may be hidden by other mounts.
    package func paths(of path: String) -> [String] {
        let names = (RealPath.existing(path) ?? path).split(separator: "/")
        let own = mounts.reversed().filter { names.starts(with: $0.point) }.max { $0.point.count < $1.point.count }
        guard let own else { return [path] }
        let inside = own.root + names.dropFirst(own.point.count)
        return [path]
            + mounts.filter { $0.device == own.device && inside.starts(with: $0.root) }.map { mount in
                "/" + (mount.point + inside.dropFirst(mount.root.count)).joined(separator: "/")
            }
    }

    /// The table writes blanks, line ends and backslashes as three octal digits.
    private static func names(_ path: Substring) -> Names {
        path.split(separator: "/").map { name in
            [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(name) { name, escape in
                Substring(name.replacing(escape.0, with: escape.1))
            }
        }
    }
}
