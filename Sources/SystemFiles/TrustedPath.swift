import CLinux
import Glibc

/// The folders and symbolic links by which the kernel finds a file. A user who can change one of them can put another file in its
/// place, such as an old copy that the owner of the file wrote (see StrictModes in sshd_config(5)).
enum TrustedPath {
    /// Why others can replace the file, as a predicate; nil if only root and `user` can. `file` is what fstat(2) said of the
    /// file that was opened, or of a folder. A path that no longer leads there, or that cannot be examined, is a reason too.
    static func breach(_ path: String, to file: stat, for user: uid_t, consequence: String) -> String? {
        // From the root on: what a user can change below a folder that was found safe is their own.
        var rest = names(RealPath.absolute(path))[...]
        var (place, next, links, isShared) = ("", "/", 0, false)
        while true {
            guard let status = RealPath.status(of: next) else { return replaced }
            if let breach = breach(status, at: next, for: user, sharing: isShared ? place : nil) {
                return "\(breach) and so \(consequence)\(advice(user))"
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                place = next == "/" ? "" : next
                isShared = status.st_mode & S_ISVTX != 0 && status.st_mode & (S_IWGRP | S_IWOTH) != 0
            case S_IFLNK:
                links += 1
                guard links <= RealPath.maxLinks, let target = RealPath.target(of: next) else { return replaced }
                rest = names(target) + rest
                if target.hasPrefix("/") { (place, isShared) = ("", false) }
            default:
                return rest.isEmpty && isSame(status, file) ? nil : replaced
            }
            guard let name = rest.popFirst() else { return isSame(status, file) ? nil : replaced }
            next = "\(place)/\(name)"
        }
    }

    private static let replaced = "was replaced while it was read; expected a path that stays the same"

    private static func advice(_ user: uid_t) -> String {
        "; expected folders of root or of user \(user) that no others can write, unless they are sticky"
    }

    /// What others can do with a folder, a link or a file. In a sticky folder users replace only their own files, but some
    /// systems let them add second names of others' files, such as of an old key (fs.protected_hardlinks in proc_sys_fs(5)).
    private static func breach(_ status: stat, at place: String, for user: uid_t, sharing folder: String?) -> String? {
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if let folder, !isFolder, status.st_nlink > 1 {
            return "has a second name (a hard link), so that others may have put it in \(folder)"
        }
        // What the permissions of the file itself say was judged before.
        guard [S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT) else { return nil }
        guard [0, user].contains(status.st_uid) else {
            return "is reached through \(place), whose owner, user \(status.st_uid), can replace it"
        }
        guard isFolder, status.st_mode & S_ISVTX == 0 else { return nil }
        // With an access control list these bits are its mask, and say nothing of the group (acl(5)).
        let isShared =
            status.st_mode & S_IWGRP != 0
            && (clinux_has_acl(place) || UserGroups.mayHaveOthers(than: user, in: status.st_gid))
        guard status.st_mode & S_IWOTH != 0 || isShared else { return nil }
        return "is reached through \(place), where others can replace it"
    }

    private static func isSame(_ one: stat, _ other: stat) -> Bool {
        (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
    }

    private static func names(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}

/// Who is in a group. A folder that a group can write is trusted if the group is provably this user's alone, as many systems have
/// it, or a pod's (`fsGroup`). A directory service can add members that no program can list, so that only a machine whose
/// users are all in its own files proves it (passwd(5), group(5), nsswitch.conf(5)).
private enum UserGroups {
    /// Whether a user other than root and this one is in a group, or may be.
    static func mayHaveOthers(than user: uid_t, in group: gid_t) -> Bool {
        guard hasOnlyFiles, let users = lines("/etc/passwd"), let groups = lines("/etc/group") else { return true }
        let others = users.filter { $0.count > 3 && !["0", "\(user)"].contains($0[2]) }
        let members = groups.filter { $0.count > 3 && $0[2] == "\(group)" }.flatMap { $0[3].split(separator: ",") }
        return others.contains { $0[3] == "\(group)" || members.contains($0[0]) }
            || members.contains { name in !users.contains { $0[0] == name } }
    }

    /// Whether users and groups come from no directory service. Without that file, and in it without a line, they do not.
    private static var hasOnlyFiles: Bool {
        lines("/etc/nsswitch.conf")?.allSatisfy { fields in
            let words = fields.map { $0.split(whereSeparator: \.isWhitespace) }
            return ![["passwd"], ["group"], ["initgroups"]].contains(words[0])
                || words.dropFirst().joined().allSatisfy { $0 == "files" }
        } ?? false
    }

    private static let maxBytes = 8 << 20

    /// The fields of each line; none if the file is missing, nil if it cannot be read as a whole.
    private static func lines(_ path: String) -> [[Substring]]? {
        do throws(SystemFileError) {
            let bytes = try SystemFile(path: path).read(atMost: maxBytes + 1)
            guard bytes.count <= maxBytes else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        } catch {
            return error.isMissing ? [] : nil
        }
    }
}

/// Paths without links, dots and the current folder, so that two of them can be compared.
package enum RealPath {
    /// The symbolic links that the kernel follows at most (path_resolution(7)).
    package static let maxLinks = 40

    /// The folder that a path names, with its last slash; `.` if it names none.
    package static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    /// What the system knows of a file or a link itself; nil if it is missing.
    package static func status(of place: String) -> stat? {
        var status = stat()
        return lstat(place, &status) == 0 ? status : nil
    }

    /// What a symbolic link names; nil for everything else.
    package static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path from the root on; links and dots stay.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// Nil if there is no such file or folder.
    package static func existing(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether two paths lead to the same file, or to the same place for one that does not exist yet.
    package static func leadToSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        let exist = [stat(one, &first) == 0, stat(other, &second) == 0]
        guard exist.contains(true) else { return end(of: one) == end(of: other) }
        return exist[0] == exist[1] && (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
    }

    /// Where a path leads to that names no file yet.
    private static func end(of path: String) -> String {
        var place = inFolder(path)
        for _ in 0..<maxLinks {
            guard let target = target(of: place) else { break }
            place = inFolder(target.hasPrefix("/") ? target : folder(of: place) + target)
        }
        return place
    }

    /// The path of a file in its folder, whether or not it exists or is a link; unchanged if there is no such folder.
    private static func inFolder(_ path: String) -> String {
        let above = folder(of: path)
        let name = above == "." ? path[...] : path.dropFirst(above.count)
        guard let folder = existing(above) else { return path }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }
}
