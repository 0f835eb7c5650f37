import Glibc

/// A file that is open for audit lines; closed with its owner.
final class AuditDescriptor: Sendable {
    private let descriptor: Int32

    /// Opens a file for appending, and if it is told to makes it where there is none, for its owner alone. A FIFO does not
    /// hold it up.
    init(path: String, making: Bool = true) throws(AuditFailure) {
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        descriptor = open(path, making ? flags | O_CREAT : flags, 0o600)
        guard descriptor >= 0 else { throw Self.openingFailure(path, making) }
    }

    /// What the system knows of the file.
    func status() throws(AuditFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("cannot be examined") }
        return status
    }

    /// Takes the file for this process alone, as long as it is open (flock(2)); whether nobody else has it.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// As many bytes as there are of a part of the file.
    func read(at offset: Int, count: Int) throws(AuditFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, offset + filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.failure("cannot be read") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }

    /// Writes all, in one piece if the system takes it so.
    func write(_ bytes: [UInt8]) throws(AuditFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot be written", standing: written) }
            written += count
        }
    }

    /// Returns once what was written is on stable storage.
    func sync() throws(AuditFailure) {
        guard fdatasync(descriptor) == 0 else { throw Self.failure("cannot be synchronized") }
    }

    /// Cuts the file off after so many bytes; whether it could.
    func truncate(to size: Int) -> Bool { ftruncate(descriptor, size) == 0 }

    /// Returns once the name of a new file is on stable storage, too.
    static func syncFolder(of path: String) throws(AuditFailure) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("is in a folder that cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("is in a folder that cannot be synchronized") }
    }

    /// Whether a path names nothing, in which case it throws if no file can be made there, as far as that shows beforehand.
    static func isToBeMade(_ path: String) throws(AuditFailure) -> Bool {
        guard access(path, F_OK) != 0, errno == ENOENT else { return false }
        guard faccessat(AT_FDCWD, folder(of: path), W_OK | X_OK, AT_EACCESS) == 0 else {
            throw openingFailure(path, true)
        }
        return true
    }

    private static func openingFailure(_ path: String, _ making: Bool) -> AuditFailure {
        let failure = failure("cannot be opened")
        guard making, access(folder(of: path), F_OK) != 0, errno == ENOENT else { return failure }
        return AuditFailure(reason: "is in a folder that is not there; expected one that the daemon can write to")
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    /// What `errno` says of what was tried.
    static func failure(_ problem: String, standing: Int = 0) -> AuditFailure {
        AuditFailure(reason: "\(problem): \(String(cString: strerror(errno)))", standing: standing)
    }

    deinit {
        close(descriptor)
    }
}
