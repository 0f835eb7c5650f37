import Glibc

/// A pipe that one child writes and a test reads; closed when its owner is released.
package final class OutputPipe {
    private let reader: Descriptor
    private var writer: Descriptor?

    package init() throws(ChildError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildError("pipe", code: errno) }
        reader = Descriptor(takingOwnershipOf: ends[0])
        writer = Descriptor(takingOwnershipOf: ends[1])
    }

    /// Gives the writing end away: only the child then has it, so the pipe ends with the child.
    func takeWriter() throws(ChildError) -> Descriptor {
        guard let writer else { throw ChildError("the pipe has been given to a child; expected one for each") }
        self.writer = nil
        return writer
    }

    /// What was written since the last call, until it is enough or the writing end is closed.
    package func read(
        within limit: Duration = Patience.limit, until isEnough: (String) -> Bool = { _ in false }
    ) throws(ChildError) -> String {
        let deadline = ContinuousClock.now + limit
        var bytes: [UInt8] = []
        var text = ""
        while !isEnough(text) {
            let more = try readSome(before: deadline)
            if more.isEmpty { break }
            bytes += more
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// At least one byte, or none at end-of-file.
    private func readSome(before deadline: ContinuousClock.Instant) throws(ChildError) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = max(.zero, deadline - .now) / .milliseconds(1)
            var entry = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, Int32(left.rounded(.up)))
            guard ready != 0 else { throw ChildError("a child neither wrote what was expected nor ended in time") }
            let count = ready < 0 ? -1 : Glibc.read(reader.number, &buffer, buffer.count)
            if count >= 0 { return buffer[..<count] }
            guard errno == EINTR else { throw ChildError("the pipe of a child", code: errno) }
        }
    }
}
