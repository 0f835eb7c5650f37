import Glibc
import SystemFiles

/// An audit log in a regular file, on stable storage: the lines of a batch are written and synchronized together. The file
/// is locked, so that no other process writes its chain into it.
package struct AuditFile: AuditSink {
    package let place: String
    private let descriptor: AuditDescriptor

    private static let shared = "another process is writing this file; expected a file for each"
    /// What others can do who could write or replace the file.
    private static let consequence = "change the record"

    private init(path: String, creates: Bool = true) throws(AuditError) {
        place = path
        if creates { try Self.checkFolder(of: path, for: geteuid()) }
        descriptor = try AuditError.naming(path) { () throws(AuditFailure) in
            try AuditDescriptor(path: path, creates: creates)
        }
    }

    /// Opens or creates a file, if it is suitable for an audit log; a new line follows its tail.
    package static func open(_ path: String) throws(AuditError) -> (file: AuditFile, tail: AuditTail) {
        let file = try AuditFile(path: path)
        _ = try file.regularStatus()
        try file.lock()
        let tail = try file.tail()
        guard tail.note.cut == 0 || file.descriptor.truncate(to: tail.size) else {
            throw file.error("its last line is incomplete and cannot be removed; expected a file that may be truncated")
        }
        return (file, tail)
    }

    /// Throws why an audit log could not be written at a path. Nothing is created or changed, and another process may be
    /// writing the file. Root checks on behalf of the file's owner. `holdsRecords` is false for a file of checkpoints.
    package static func check(
        _ path: String, as user: uid_t = geteuid(), holdsRecords: Bool = true
    ) throws(AuditError) {
        let isNew = try AuditError.naming(path) { () throws(AuditFailure) in try AuditDescriptor.canBeCreated(path) }
        if isNew { return try checkFolder(of: path, for: user == 0 ? nil : user) }
        let file = try AuditFile(path: path, creates: false)
        let owner = try file.status().st_uid
        _ = try file.regularStatus(for: user == 0 ? owner : user)
        if holdsRecords { _ = try file.tail() }
    }

    /// Appends checkpoints to a file, which is created if it is missing, and returns once they are on stable storage.
    package static func append(checkpoints: [UInt8], to path: String) throws(AuditError) {
        let file = try AuditFile(path: path)
        let size = try file.regularStatus().st_size
        try AuditError.naming(path) { () throws(AuditFailure) in
            do throws(AuditFailure) {
                try file.descriptor.write(checkpoints)
                try file.descriptor.sync()
            } catch {
                // The next one must not follow a part of this one.
                _ = file.descriptor.truncate(to: size)
                throw error
            }
        }
    }

    /// The file that has the name now; nil if it is this one.
    package func reopened() throws(AuditError) -> (any AuditSink)? {
        let file = try AuditFile(path: place)
        let (old, new) = (try status(), try file.regularStatus())
        guard old.st_dev != new.st_dev || old.st_ino != new.st_ino else { return nil }
        try file.lock()
        guard new.st_size == 0 else { throw error("is not empty; expected no file, or an empty one, to continue in") }
        return file
    }

    package func abandon() {
        guard descriptor.isNew, (try? status())?.st_size == 0 else { return }
        unlink(place)
    }

    package var isRemoved: Bool { (try? status())?.st_nlink == 0 }

    package func put(_ batch: AuditBatch) throws(AuditFailure) {
        let status = try descriptor.status()
        guard descriptor.isOnlyWriter(of: status.st_size) else { throw AuditFailure(reason: Self.shared) }
        defer { descriptor.note(size: try? descriptor.status().st_size) }
        guard status.st_nlink > 0 else {
            throw AuditFailure(reason: "was removed; expected it to be renamed, and SIGHUP to be sent then")
        }
        do throws(AuditFailure) {
            try descriptor.write(batch.bytes)
            try descriptor.sync()
        } catch {
            // It is unknown which of the bytes are on stable storage, so all are removed.
            if descriptor.truncate(to: status.st_size) { throw AuditFailure(reason: error.reason) }
            throw AuditFailure(reason: error.reason, written: try descriptor.status().st_size - status.st_size)
        }
    }

    private func status() throws(AuditError) -> stat {
        try AuditError.naming(place) { () throws(AuditFailure) in try descriptor.status() }
    }

    /// The status of a regular file that only root and the user can write or replace.
    private func regularStatus(for user: uid_t = geteuid()) throws(AuditError) -> stat {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw error("is \(Self.name(of: status.st_mode)); expected a regular file, which can be on stable storage")
        }
        let breach = FileTrust.breach(
            place, status, for: user, consequence: Self.consequence, advice: "chmod go-w, or better chmod 600")
        if let breach { throw error(breach) }
        return status
    }

    /// Throws before a file is created where others could replace it.
    private static func checkFolder(of path: String, for user: uid_t?) throws(AuditError) {
        let folder = RealPath.folder(of: path)
        guard let breach = FileTrust.breach(ofFolder: folder, for: user, consequence: consequence) else { return }
        throw AuditError(place: path, problem: breach)
    }

    private func tail() throws(AuditError) -> AuditTail {
        let tail = try AuditError.naming(place) { () throws(AuditFailure) in try AuditTail(of: descriptor) }
        guard let tail else { throw error(AuditTail.notAuditLog) }
        return tail
    }

    private func lock() throws(AuditError) {
        guard descriptor.lock() else { throw error(Self.shared) }
        try AuditError.naming(place) { () throws(AuditFailure) in try AuditDescriptor.syncFolder(of: place) }
    }

    private static func name(of mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFIFO: "a FIFO"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a file"
        }
    }

    private func error(_ problem: String) -> AuditError { AuditError(place: place, problem: problem) }
}
