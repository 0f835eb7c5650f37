import Glibc
import SystemFiles

/// An audit trail in a regular file, on stable storage: the lines of a batch are written and synchronized together. One
/// process has the file, so that no two write their chains into each other.
package struct AuditFile: AuditSink {
    package let place: String
    private let descriptor: AuditDescriptor

    /// Opens or makes the file, if it is fit for a trail.
    private init(path: String, making: Bool = true) throws(AuditError) {
        place = path
        do {
            descriptor = try AuditDescriptor(path: path, making: making)
        } catch {
            throw AuditError(place: path, problem: error.reason)
        }
    }

    /// A file's trail, and the place in its chain that a new line has to follow.
    package static func open(_ path: String) throws(AuditError) -> (file: AuditFile, tail: AuditTail) {
        let file = try AuditFile(path: path)
        _ = try file.regularStatus()
        try file.takeForSelf()
        let tail = try file.tail()
        guard tail.note.cut == 0 || file.descriptor.truncate(to: tail.size) else {
            throw file.error("its last line has no end and cannot be cut off; expected a file that may be truncated")
        }
        return (file, tail)
    }

    /// Throws why a trail could not be written at a path, as far as that shows while nothing is made or changed and another
    /// process may be writing it. Root checks for whoever has the file.
    package static func check(_ path: String, as user: uid_t = geteuid()) throws(AuditError) {
        do throws(AuditFailure) {
            if try AuditDescriptor.isToBeMade(path) { return }
        } catch {
            throw AuditError(place: path, problem: error.reason)
        }
        let file = try AuditFile(path: path, making: false)
        let owner = try file.status().st_uid
        _ = try file.regularStatus(for: user == 0 ? owner : user)
        _ = try file.tail()
    }

    /// The file that has the name now; nil if that is this one.
    package func reopened() throws(AuditError) -> (any AuditSink)? {
        let file = try AuditFile(path: place)
        let (old, new) = (try status(), try file.regularStatus())
        guard old.st_dev != new.st_dev || old.st_ino != new.st_ino else { return nil }
        try file.takeForSelf()
        guard new.st_size == 0 else { throw error("is not empty; expected no file, or an empty one, to continue in") }
        return file
    }

    package func put(_ batch: AuditBatch) throws(AuditFailure) {
        let status = try descriptor.status()
        guard status.st_nlink > 0 else {
            throw AuditFailure(reason: "was removed; expected it to be renamed, and SIGHUP to be sent then")
        }
        do throws(AuditFailure) {
            try descriptor.write(batch.bytes)
            try descriptor.sync()
        } catch {
            // Nobody knows what of it is on stable storage, so none of it stays.
            if descriptor.truncate(to: status.st_size) { throw AuditFailure(reason: error.reason) }
            throw AuditFailure(reason: error.reason, standing: try descriptor.status().st_size - status.st_size)
        }
    }

    private func status() throws(AuditError) -> stat {
        try orThrow { () throws(AuditFailure) in try descriptor.status() }
    }

    /// What the system knows of the file, if it is one that can be on stable storage and that nobody but root and the user
    /// writes to.
    private func regularStatus(for user: uid_t = geteuid()) throws(AuditError) -> stat {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw error("is \(Self.name(of: status.st_mode)); expected a regular file, which can be on stable storage")
        }
        let breach = FileTrust.breach(
            status, for: user, consequence: "change the record", advice: "chmod go-w, or better chmod 600")
        if let breach { throw error(breach) }
        return status
    }

    private func tail() throws(AuditError) -> AuditTail {
        let tail = try orThrow { () throws(AuditFailure) in try AuditTail(of: descriptor) }
        guard let tail else { throw error(AuditTail.foreign) }
        return tail
    }

    private func takeForSelf() throws(AuditError) {
        guard descriptor.lock() else {
            throw error("another process is writing this file; expected a file for each")
        }
        try orThrow { () throws(AuditFailure) in try AuditDescriptor.syncFolder(of: place) }
    }

    private static func name(of mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFIFO: "a FIFO"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a file"
        }
    }

    private func orThrow<Value>(_ body: () throws(AuditFailure) -> Value) throws(AuditError) -> Value {
        do {
            return try body()
        } catch {
            throw self.error(error.reason)
        }
    }

    private func error(_ problem: String) -> AuditError { AuditError(place: place, problem: problem) }
}
