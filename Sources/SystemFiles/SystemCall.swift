import Glibc

/// System calls that a signal may interrupt; errno tells why one failed.
package enum SystemCall {
    /// The call's result, other than EINTR (signal(7)).
    @discardableResult
    package static func retryingEINTR<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }

    /// Writes some of the bytes and returns how many; -1 with errno.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { buffer in
            retryingEINTR { Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
        }
    }

    /// Sends a message to an address and returns how many bytes; -1 with errno.
    package static func sendTo(
        _ address: UnsafePointer<sockaddr>?, _ length: socklen_t, _ message: [UInt8], by descriptor: Int32
    ) -> Int {
        retryingEINTR { sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), address, length) }
    }

    /// Sends bytes to the peer and returns how many; -1 with errno.
    package static func send(_ bytes: [UInt8], by descriptor: Int32) -> Int {
        retryingEINTR { Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Receives bytes from the peer and returns how many, 0 at the end; -1 with errno.
    package static func receive(into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        retryingEINTR { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Reads bytes at an offset of the file and returns how many, 0 at its end; -1 with errno.
    package static func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32
    ) -> Int {
        retryingEINTR { pread(descriptor, buffer.baseAddress, buffer.count, offset) }
    }

    /// Whether the file's content, and what is needed to read it, was brought to stable storage; if not, errno tells why.
    package static func syncContent(of descriptor: Int32) -> Bool { retryingEINTR { fdatasync(descriptor) } == 0 }

    /// The same for the file or folder with all its attributes.
    package static func sync(_ descriptor: Int32) -> Bool { retryingEINTR { fsync(descriptor) } == 0 }

    /// Writes all bytes, with one call if the system takes them at once. If the descriptor would block, `waits` is called;
    /// if that returns true, the rest is tried again.
    package static func writeAll(
        _ bytes: [UInt8], to descriptor: Int32, ifBlocked waits: () -> Bool = { false }
    ) throws(IncompleteWrite) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(rest, to: descriptor)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                let code = errno
                guard count < 0, code == EAGAIN, waits() else {
                    throw IncompleteWrite(written: bytes.count - rest.count, code: code)
                }
            }
        }
    }

    /// Whether the descriptor is ready for the events of poll(2) within so many milliseconds; -1 waits forever.
    package static func isReady(_ descriptor: Int32, for events: Int32, within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return retryingEINTR { poll(&request, 1, milliseconds) } > 0
    }
}

/// A write that ended early.
package struct IncompleteWrite: Error {
    /// How many bytes were written.
    package let written: Int
    /// errno.
    let code: Int32

    /// Why the rest was not written.
    package var cause: SystemFileError { SystemFileError("cannot be written", code: code) }
}
