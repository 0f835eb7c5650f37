import Glibc

/// The files that systemd copied for the service at its start (`LoadCredential=` in systemd.exec(5)). A copy stays as
/// it is until the next start, so that a reload would miss what has changed since.
package struct CredentialCopies: Sendable {
    /// The folder that has the originals, each with the name of its copy; the unit sets it.
    package static let variable = "TOKEN_PROVIDER_CREDENTIAL_SOURCES"
    /// Those of this process.
    package static let own = CredentialCopies(Environment.variables())

    /// The folder of the copies; nil if there are none.
    private let folder: String?
    /// The folder of the originals; nil if it is unknown.
    private let sources: String?

    /// The copies that the variables of a service name.
    package init(_ environment: [String: String]) {
        folder = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
        sources = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What to read for a path, and to name in messages: the original of a copy if this process may read it and only root
    /// can write it, else the path itself.
    package func readable(_ path: String) -> String {
        guard let original = original(of: path), access(original, R_OK) == 0, let status = Self.status(original),
            status.st_mode & S_IFMT == S_IFREG, FileTrust.breach(original, status, for: 0, consequence: "") == nil
        else { return path }
        return original
    }

    /// What a reload has missed since the copies were made.
    package func missed(_ paths: [String]) -> Missed {
        var missed = Missed()
        for path in Set(paths).sorted() where isCopy(path) && readable(path) == path {
            if let original = original(of: path), let status = Self.status(original) {
                guard let copy = Self.status(path), copy.st_ctim < status.st_ctim else { continue }
                missed.changed.append(original)
            } else {
                missed.unknown.append(path)
            }
        }
        return missed
    }

    /// Files that a reload reads as they were at the start.
    package struct Missed: Equatable {
        /// Originals that have changed since, which this process may not read.
        package fileprivate(set) var changed: [String] = []
        /// Copies whose originals are unknown.
        package fileprivate(set) var unknown: [String] = []
    }

    /// Copies have no folders of their own, so that no path leads up from them to other files.
    private func isCopy(_ path: String) -> Bool {
        guard let folder, path.hasPrefix("\(folder)/") else { return false }
        return !path.dropFirst(folder.count + 1).contains("/")
    }

    /// The file that a path is a copy of; nil for any other file, or if the original is unknown.
    package func original(of path: String) -> String? {
        guard let folder, let sources, isCopy(path) else { return nil }
        return sources + path.dropFirst(folder.count)
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}

extension timespec {
    fileprivate static func < (left: timespec, right: timespec) -> Bool {
        (left.tv_sec, left.tv_nsec) < (right.tv_sec, right.tv_nsec)
    }
}
