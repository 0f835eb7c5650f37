import Concurrency
import Glibc
import SystemFiles

/// An audit log in a regular file, on stable storage: the lines of a batch are written and synchronized together. The file
/// is locked, so that no other process writes its chain into it, and closed with its owner.
package final class AuditFile: AuditSink {
    package let place: String
    private let descriptor: Int32
    /// Whether this created the file.
    private let isNew: Bool
    /// Whether the file is locked, and its size after the last line of this process.
    private let state = Guarded<(isLocked: Bool, size: Int?)>((false, nil))

    private static let shared = "another process is writing this file; expected a file for each"
    /// What others can do who could write or replace the file.
    private static let consequence = "change the record"

    /// Opens a file for appending; with `creates`, a missing one is created, for its owner only. A FIFO does not block.
    private init(path: String, creates: Bool = true) throws(AuditFailure) {
        if creates { try Self.checkFolder(of: path, for: geteuid()) }
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let new = creates ? Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600) : -1
        (place, isNew) = (path, new >= 0)
        descriptor = isNew ? new : Glibc.open(path, creates ? flags | O_CREAT : flags, 0o600)
        guard descriptor >= 0 else { throw Self.openingFailure(path, creates) }
    }

    /// Opens or creates a file, if it is suitable for an audit log; a new line follows its tail.
    static func open(_ path: String) throws(AuditError) -> (file: AuditFile, tail: AuditTail) {
        try AuditError.naming(path) { () throws(AuditFailure) in
            let file = try AuditFile(path: path)
            _ = try file.regularStatus()
            try file.lock()
            let tail = try AuditTail(of: file)
            guard tail.note.cut == 0 || file.truncate(to: tail.size) else {
                throw AuditFailure(
                    reason: "its last line is incomplete and cannot be removed; expected a file that may be truncated")
            }
            return (file, tail)
        }
    }

    /// Throws why an audit log could not be written at a path. Nothing is created or changed, and another process may be
    /// writing the file. Root checks on behalf of the file's owner. `holdsRecords` is false for a file of checkpoints.
    package static func check(
        _ path: String, as user: uid_t = geteuid(), holdsRecords: Bool = true
    ) throws(AuditError) {
        try AuditError.naming(path) { () throws(AuditFailure) in
            if try canBeCreated(path) { return try checkFolder(of: path, for: user == 0 ? nil : user) }
            let file = try AuditFile(path: path, creates: false)
            let owner = try file.status().st_uid
            _ = try file.regularStatus(for: user == 0 ? owner : user)
            if holdsRecords { _ = try AuditTail(of: file) }
        }
    }

    /// Appends checkpoints to a file, which is created if it is missing, and returns once they are on stable storage.
    package static func append(checkpoints: [UInt8], to path: String) throws(AuditError) {
        try AuditError.naming(path) { () throws(AuditFailure) in
            let file = try AuditFile(path: path)
            let size = try file.regularStatus().st_size
            do throws(AuditFailure) { try file.store(checkpoints) } catch {
                // The next one must not follow a part of this one.
                _ = file.truncate(to: size)
                throw error
            }
        }
    }

    /// The file that has the name now; nil if it is this one.
    package func reopened() throws(AuditError) -> (any AuditSink)? {
        try AuditError.naming(place) { () throws(AuditFailure) in
            let file = try AuditFile(path: place)
            let (old, new) = (try status(), try file.regularStatus())
            guard old.st_dev != new.st_dev || old.st_ino != new.st_ino else { return nil }
            try file.lock()
            guard new.st_size == 0 else {
                throw AuditFailure(reason: "is not empty; expected no file, or an empty one, to continue in")
            }
            return file
        }
    }

    package func abandon() {
        guard isNew, (try? status())?.st_size == 0 else { return }
        unlink(place)
    }

    package var isRemoved: Bool { (try? status())?.st_nlink == 0 }

    package func put(_ batch: AuditBatch) throws(AuditFailure) {
        let status = try status()
        guard isOnlyWriter(of: status.st_size) else { throw AuditFailure(reason: Self.shared) }
        defer {
            let size = try? self.status().st_size
            state.withLock { $0.size = size }
        }
        guard status.st_nlink > 0 else {
            throw AuditFailure(reason: "was removed; expected it to be renamed, and SIGHUP to be sent then")
        }
        do { try store(batch.bytes) } catch {
            // It is unknown which of the bytes are on stable storage, so all are removed.
            if truncate(to: status.st_size) { throw AuditFailure(reason: error.reason) }
            throw AuditFailure(reason: error.reason, written: try self.status().st_size - status.st_size)
        }
    }

    /// The bytes at an offset, fewer than `count` only at the end of the file.
    func read(at offset: Int, count: Int) throws(AuditFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return SystemCall.read(at: offset + filled, into: rest, from: descriptor)
            }
            guard got >= 0 else { throw AuditFailure("cannot be read") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }

    /// Writes all bytes, with one call if the system takes them at once, and returns once they are on stable storage.
    private func store(_ bytes: [UInt8]) throws(AuditFailure) {
        do { try SystemCall.writeAll(bytes, to: descriptor) } catch {
            throw AuditFailure(reason: error.cause.predicate, written: error.written)
        }
        guard SystemCall.syncContent(of: descriptor) else { throw AuditFailure("cannot be synchronized") }
    }

    /// Cuts the file to a size; whether that succeeded.
    private func truncate(to size: Int) -> Bool { ftruncate(descriptor, size) == 0 }

    /// `F_OFD_GETLK` and `F_OFD_SETLK` of fcntl.h, which Swift does not see.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// Locks the file as long as it is open (fcntl_locking(2)), unless another process writes it; whether none does. Anyone
    /// who may read the file can hold a lock for reading, which must not keep the daemon from writing.
    private func tryLock() -> Bool {
        var lock = Glibc.flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        if fcntl(descriptor, Self.setLock, &lock) == 0 {
            state.withLock { $0.isLocked = true }
            return true
        }
        lock.l_type = Int16(F_RDLCK)
        return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    }

    /// Locks the file, and returns once the name of a new file is on stable storage, too.
    private func lock() throws(AuditFailure) {
        guard tryLock() else { throw AuditFailure(reason: Self.shared) }
        let folder = Glibc.open(RealPath.folder(of: place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw AuditFailure("is in a folder that cannot be opened") }
        defer { close(folder) }
        guard SystemCall.sync(folder) else { throw AuditFailure("is in a folder that cannot be synchronized") }
    }

    /// Whether no other process has written the file since this one did. The lock ensures it; without a lock the size must be
    /// the last one, and then the file is locked if that is possible now.
    private func isOnlyWriter(of size: Int) -> Bool {
        let (isLocked, last) = state.withLock { $0 }
        return isLocked || (size == last ?? size && tryLock())
    }

    /// What the system knows of the file.
    func status() throws(AuditFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw AuditFailure("cannot be examined") }
        return status
    }

    /// The status of a regular file that only root and the user can write or replace.
    private func regularStatus(for user: uid_t = geteuid()) throws(AuditFailure) -> stat {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            let name = Self.name(of: status.st_mode)
            throw AuditFailure(reason: "is \(name); expected a regular file, which can be on stable storage")
        }
        let breach = FileTrust.breach(
            place, status, for: user, consequence: Self.consequence, advice: "chmod go-w, or better chmod 600")
        if let breach { throw AuditFailure(reason: breach) }
        return status
    }

    private static func name(of mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFIFO: "a FIFO"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a file"
        }
    }

    /// Throws before a file is created where others could replace it.
    private static func checkFolder(of path: String, for user: uid_t?) throws(AuditFailure) {
        let folder = RealPath.folder(of: path)
        guard let breach = FileTrust.breach(ofFolder: folder, for: user, consequence: consequence) else { return }
        throw AuditFailure(reason: breach)
    }

    /// Whether the file is missing and its folder lets it be created; throws if it is missing and the folder does not.
    private static func canBeCreated(_ path: String) throws(AuditFailure) -> Bool {
        guard access(path, F_OK) != 0, errno == ENOENT else { return false }
        guard faccessat(AT_FDCWD, RealPath.folder(of: path), W_OK | X_OK, AT_EACCESS) == 0 else {
            throw openingFailure(path, true)
        }
        return true
    }

    private static func openingFailure(_ path: String, _ creates: Bool) -> AuditFailure {
        let failure = AuditFailure("cannot be opened")
        guard creates, access(RealPath.folder(of: path), F_OK) != 0, errno == ENOENT else { return failure }
        return AuditFailure(reason: "is in a folder that does not exist; expected one that the daemon can write to")
    }

    deinit {
        close(descriptor)
    }
}
