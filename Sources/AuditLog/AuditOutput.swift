import Glibc

/// Writing to what may have no reader.
enum AuditOutput {
    /// Writes all, or throws once a reader has let pass so many milliseconds without taking anything.
    static func write(_ bytes: [UInt8], to descriptor: Int32, patience: Int32) throws(AuditFailure) {
        var written = 0
        while written < bytes.count {
            guard waitUntilWritable(descriptor, patience) else {
                throw AuditFailure(reason: "cannot be written: nobody reads it", standing: written)
            }
            // A pipe that is writable takes so many bytes at once; more could wait for a reader without end (pipe(7)).
            let end = min(bytes.count, written + Int(PIPE_BUF))
            let count = bytes[written..<end].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw AuditDescriptor.failure("cannot be written", standing: written) }
            written += count
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32, _ patience: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var ready: Int32
        repeat { ready = poll(&request, 1, patience) } while ready < 0 && errno == EINTR
        return ready > 0
    }
}
