import CLinux
import Glibc

/// The folders and symbolic links by which the kernel finds a file. A user who can change one of them can put another file in its
/// place, such as an old copy that the owner of the file wrote (see StrictModes in sshd_config(5)).
enum TrustedPath {
    private static let maxLinks = 40

    /// Why others can replace the file, as a predicate; nil if only root and `user` can. `file` is what fstat(2) said of the
    /// file that was opened. A path that no longer leads there, or that cannot be examined, is a reason too.
    static func breach(_ path: String, to file: stat, for user: uid_t, consequence: String) -> String? {
        var rest = names(path.hasPrefix("/") ? path : "\(workingFolder)/\(path)")[...]
        var (place, links) = ("", 0)
        if let breach = breach(at: "/", for: user) { return "\(breach) and so \(consequence)\(advice(user))" }
        while let name = rest.popFirst() {
            let next = "\(place)/\(name)"
            var status = stat()
            guard lstat(next, &status) == 0 else { return replaced }
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFDIR || kind == S_IFLNK else {
                return (status.st_dev, status.st_ino) == (file.st_dev, file.st_ino) ? nil : replaced
            }
            if let breach = breach(at: next, for: user) { return "\(breach) and so \(consequence)\(advice(user))" }
            guard kind == S_IFLNK else {
                place = next
                continue
            }
            links += 1
            guard links <= maxLinks, let target = target(of: next) else { return replaced }
            rest = names(target) + rest
            if target.hasPrefix("/") { place = "" }
        }
        return file.st_mode & S_IFMT == S_IFDIR ? nil : replaced
    }

    private static let replaced = "was replaced while it was read; expected a path that stays the same"

    private static func advice(_ user: uid_t) -> String {
        "; expected folders of root or of user \(user) that no others can write, unless they are sticky"
    }

    /// What others can do with a folder or a link. In a sticky folder users replace only their own files.
    private static func breach(at place: String, for user: uid_t) -> String? {
        var status = stat()
        guard lstat(place, &status) == 0 else { return nil }
        guard [0, user].contains(status.st_uid) else {
            return "is reached through \(place), whose owner, user \(status.st_uid), can replace it"
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_ISVTX == 0 else { return nil }
        // With an access control list these bits are its mask, and say nothing of the group (acl(5)).
        let isShared =
            status.st_mode & S_IWGRP != 0
            && (clinux_has_acl(place) || UserGroups.hasOthers(than: user, in: status.st_gid))
        guard status.st_mode & S_IWOTH != 0 || isShared else { return nil }
        return "is reached through \(place), where others can replace it"
    }

    private static func names(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }

    private static var workingFolder: String {
        guard let folder = getcwd(nil, 0) else { return "" }
        defer { free(folder) }
        return String(cString: folder)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Who is in a group, by the machine's own files (passwd(5), group(5)): a folder that a group can write is trusted if the group is
/// this user's alone, as many systems have it, or a pod's (`fsGroup`).
private enum UserGroups {
    /// Whether a user other than root and this one is in a group, or may be.
    static func hasOthers(than user: uid_t, in group: gid_t) -> Bool {
        guard let users = lines("/etc/passwd"), let groups = lines("/etc/group") else { return true }
        let others = users.filter { $0.count > 3 && !["0", "\(user)"].contains($0[2]) }
        let members = groups.filter { $0.count > 3 && $0[2] == "\(group)" }.flatMap { $0[3].split(separator: ",") }
        return others.contains { $0[3] == "\(group)" || members.contains($0[0]) }
            || members.contains { name in !users.contains { $0[0] == name } }
    }

    /// The fields of each line; none if there is no such file, nil if it cannot be read.
    private static func lines(_ path: String) -> [[Substring]]? {
        do throws(SystemFileError) {
            let text = String(decoding: try SystemFile(path: path).read(atMost: 1 << 20), as: UTF8.self)
            return text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        } catch {
            return error.isMissing ? [] : nil
        }
    }
}

/// Paths without links, dots and the current folder, so that two of them can be compared.
package enum RealPath {
    /// Nil if there is no such file or folder.
    package static func existing(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path of a file in its folder, whether or not it exists or is a link; unchanged if there is no such folder.
    package static func inFolder(_ path: String) -> String {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        let above = names.count < 2 ? "." : names.dropLast().joined(separator: "/") + "/"
        guard let name = names.last, let folder = existing(above) else { return path }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }
}
