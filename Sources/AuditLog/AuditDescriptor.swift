import Concurrency
import Glibc
import SystemFiles

/// A file that is open for audit lines; closed with its owner.
final class AuditDescriptor: Sendable {
    private let descriptor: Int32
    /// Whether this created the file.
    let isNew: Bool
    /// Whether the file is locked, and its size after the last line of this process.
    private let state = Guarded<(isLocked: Bool, size: Int?)>((false, nil))

    /// Opens a file for appending; with `creates`, a missing one is created, for its owner only. A FIFO does not block.
    init(path: String, creates: Bool = true) throws(AuditFailure) {
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let new = creates ? open(path, flags | O_CREAT | O_EXCL, 0o600) : -1
        isNew = new >= 0
        descriptor = isNew ? new : open(path, creates ? flags | O_CREAT : flags, 0o600)
        guard descriptor >= 0 else { throw Self.openingFailure(path, creates) }
    }

    /// What the system knows of the file.
    func status() throws(AuditFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw AuditFailure("cannot be examined") }
        return status
    }

    /// `F_OFD_GETLK` and `F_OFD_SETLK` of fcntl.h, which Swift does not see.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// Locks the file as long as it is open (fcntl_locking(2)), unless another process writes it; whether none does. Anyone
    /// who may read the file can hold a lock for reading, which must not keep the daemon from writing.
    func lock() -> Bool {
        var lock = Glibc.flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        if fcntl(descriptor, Self.setLock, &lock) == 0 {
            state.withLock { $0.isLocked = true }
            return true
        }
        lock.l_type = Int16(F_RDLCK)
        return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    }

    /// Whether no other process has written the file since this one did. The lock ensures it; without a lock the size must be
    /// the last one, and then the file is locked if that is possible now.
    func isOnlyWriter(of size: Int) -> Bool {
        let (isLocked, last) = state.withLock { $0 }
        return isLocked || (size == last ?? size && lock())
    }

    /// Notes the size after the last line of this process.
    func note(size: Int?) { state.withLock { $0.size = size } }

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

    /// Writes all bytes, with one call if the system takes them at once.
    func write(_ bytes: [UInt8]) throws(AuditFailure) {
        do {
            try SystemCall.writeAll(bytes, to: descriptor)
        } catch {
            throw AuditFailure(reason: error.cause.predicate, written: error.written)
        }
    }

    /// Returns once what was written is on stable storage.
    func sync() throws(AuditFailure) {
        guard SystemCall.syncContent(of: descriptor) else { throw AuditFailure("cannot be synchronized") }
    }

    /// Cuts the file to a size; whether that succeeded.
    func truncate(to size: Int) -> Bool { ftruncate(descriptor, size) == 0 }

    /// Returns once the name of a new file is on stable storage, too.
    static func syncFolder(of path: String) throws(AuditFailure) {
        let descriptor = open(RealPath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AuditFailure("is in a folder that cannot be opened") }
        defer { close(descriptor) }
        guard SystemCall.sync(descriptor) else { throw AuditFailure("is in a folder that cannot be synchronized") }
    }

    /// Whether the file is missing and its folder lets it be created; throws if it is missing and the folder does not.
    static func canBeCreated(_ path: String) throws(AuditFailure) -> Bool {
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
