import CLinux
import Glibc
import SystemFiles

/// The mounts that this process sees, by which a file may have several paths (proc_pid_mountinfo(5)). It does not tell that
/// another file system shows the same files, such as an overlay.
package struct MountTable: Sendable {
    private typealias Names = [Substring]
    /// A folder of a file system, and where it is shown.
    private let mounts: [(number: Substring, device: Substring, root: Names, point: Names)]

    private static let maxBytes = 16 << 20

    /// The table as it is now; empty without `/proc`.
    package init() {
        let bytes = try? SystemFile(path: "/proc/self/mountinfo").read(atMost: Self.maxBytes)
        self.init(parsing: String(decoding: bytes ?? [], as: UTF8.self))
    }

    init(parsing text: String) {
        // A carriage return and a line end are one character.
        mounts = text.split { $0 == "\n" || $0 == "\r\n" }.compactMap { line in
            let fields = line.split(separator: " ")
            return fields.count > 4 ? (fields[0], fields[2], Self.names(fields[3]), Self.names(fields[4])) : nil
        }
    }

    /// All paths of a file, this one first. Some may be hidden by other mounts.
    package func paths(of path: String) -> [String] {
        let place = RealPath.existing(path) ?? path
        return [path] + (Self.number(of: place).map { paths(of: place, in: $0) } ?? [])
    }

    /// The paths of what the mount of this number shows at a path.
    func paths(of path: String, in number: Substring) -> [String] {
        guard let own = mounts.first(where: { $0.number == number }) else { return [] }
        let inside = own.root + path.split(separator: "/").dropFirst(own.point.count)
        return mounts.filter { $0.device == own.device && inside.starts(with: $0.root) }.map { mount in
            "/" + (mount.point + inside.dropFirst(mount.root.count)).joined(separator: "/")
        }
    }

    /// The mount that shows a file; nil if there is none. One may hide another at any point above the file, so that only the
    /// kernel knows (proc_pid_fdinfo(5)).
    private static func number(of path: String) -> Substring? {
        let descriptor = clinux_open_place(path)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = try? SystemFile(path: "/proc/self/fdinfo/\(descriptor)").read(atMost: 4096)
        let fields = String(decoding: bytes ?? [], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return fields.firstIndex(of: "mnt_id:").flatMap { fields.dropFirst($0 + 1).first }
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
