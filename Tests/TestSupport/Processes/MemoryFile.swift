internal import CSpawn
import Glibc

/// A file without a name that a child reads, or writes without a limit and without a reader; freed with its owner.
package final class MemoryFile {
    let descriptor: Descriptor

    /// A file with a text; the child reads from its start.
    package init(_ text: String = "") throws(ChildError) {
        let number = memfd_create("child", 0)
        guard number >= 0 else { throw ChildError("memfd_create", code: errno) }
        descriptor = Descriptor(takingOwnershipOf: number)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ChildError("a file in memory cannot be written", code: errno) }
            rest = rest.dropFirst(count)
        }
        lseek(descriptor.number, 0, SEEK_SET)
    }

    /// The whole content, which must be UTF-8.
    package func text() throws(ChildError) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // pread leaves the file offset, which the child shares, where it is.
            let count = pread(descriptor.number, &buffer, buffer.count, off_t(bytes.count))
            guard count >= 0 else { throw ChildError("a file in memory cannot be read", code: errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ChildError("what a child wrote is not UTF-8")
        }
        return text
    }
}
