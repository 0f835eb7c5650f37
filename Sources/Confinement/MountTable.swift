import CLinux
import Glibc
import SystemFiles

/// The mounts that this process sees, by which a file may have several paths (proc_pid_mountinfo(5)). It does not tell that
/// another file system shows the same files, such as an overlay.
package struct MountTable: Sendable {
    /// Bytes, since a file's name may be any text: a character of two bytes may be the end of one name and the start of the next.
    private typealias Names = [[UInt8]]
    /// A folder of a file system, and where it is shown.
    private let mounts: [(number: String, device: [UInt8], root: Names, point: Names)]

    private static let maxBytes = 16 << 20

    /// The table as it is now; empty without `/proc`.
    package init() {
        let bytes = try? SystemFile(path: "/proc/self/mountinfo").read(atMost: Self.maxBytes)
        self.init(parsing: String(decoding: bytes ?? [], as: UTF8.self))
    }

    init(parsing text: String) {
        mounts = text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " ")).map(Array.init)
            guard fields.count > 4 else { return nil }
            return (String(decoding: fields[0], as: UTF8.self), fields[2], Self.names(fields[3]), Self.names(fields[4]))
        }
    }

    /// All paths of a file, this one first. Some may be hidden by other mounts.
    package func paths(of path: String) -> [String] {
        let place = RealPath.existing(path) ?? path
        return [path] + (Self.number(of: place).map { paths(of: place, in: $0) } ?? [])
    }

    /// The paths of what the mount of this number shows at a path.
    func paths(of path: String, in number: String) -> [String] {
        guard let own = mounts.first(where: { $0.number == number }) else { return [] }
        let inside = own.root + Self.parts(Array(path.utf8)).dropFirst(own.point.count)
        return mounts.filter { $0.device == own.device && inside.starts(with: $0.root) }.map { mount in
            let names = mount.point + inside.dropFirst(mount.root.count)
            return "/" + String(decoding: Array(names.joined(separator: "/".utf8)), as: UTF8.self)
        }
    }

    /// The mount that shows a file; nil if there is none. One may hide another at any point above the file, so that only the
    /// kernel knows (proc_pid_fdinfo(5)).
    private static func number(of path: String) -> String? {
        let descriptor = clinux_open_place(path)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = try? SystemFile(path: "/proc/self/fdinfo/\(descriptor)").read(atMost: 4096)
        let fields = String(decoding: bytes ?? [], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return fields.firstIndex(of: "mnt_id:").flatMap { fields.dropFirst($0 + 1).first.map(String.init) }
    }

    /// The table writes blanks, line ends and backslashes as three octal digits.
    private static func names(_ path: [UInt8]) -> Names {
        parts(path).map { name in
            [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(name) { name, escape in
                name.replacing(escape.0.utf8, with: escape.1.utf8)
            }
        }
    }

    private static func parts(_ path: [UInt8]) -> Names {
        path.split(separator: UInt8(ascii: "/")).map(Array.init)
    }
}
