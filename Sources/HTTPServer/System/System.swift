import CLinux
import Glibc

/// The one place where system calls are made: an interrupted call is made again, one that would block is named, and
/// any other failure keeps errno with the operation's name.
enum System {
    /// The call's result; nil if it would block.
    static func call<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ body: () -> Value
    ) throws(SystemError) -> Value? {
        while true {
            let result = body()
            if result >= 0 { return result }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case let code: throw SystemError(operation: operation(), code: code)
            }
        }
    }

    /// A call that cannot block.
    @discardableResult
    static func must<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ body: () -> Value
    ) throws(SystemError) -> Value {
        guard let result = try call(operation(), body) else {
            throw SystemError(operation: operation(), code: EAGAIN)
        }
        return result
    }
}

/// A file descriptor with one owner, closed with the owner.
struct Descriptor: ~Copyable, ByteSink {
    let number: Int32

    init(takingOwnershipOf number: Int32) { self.number = number }

    deinit { close(number) }

    /// Bytes read into the buffer; 0 at the peer's end, nil if nothing is there.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("recv") { recv(number, buffer.baseAddress, buffer.count, 0) }
    }

    /// As `receive`, but the bytes can be received again.
    func peek(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("recv") { recv(number, buffer.baseAddress, buffer.count, Int32(MSG_PEEK)) }
    }

    /// How many bytes wait to be received.
    var receivable: Int {
        var count: Int32 = 0
        return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// How many of the bytes the kernel took; nil if none for now. A vanished peer is an error, never a signal.
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("send") { Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Ends our side; the peer reads to the end of what was sent.
    func shutdownWriting() {
        shutdown(number, Int32(SHUT_WR))
    }

    func setOption(_ level: Int32, _ option: Int32, _ value: Int32) throws(SystemError) {
        var value = value
        try System.must("setsockopt") {
            setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }
}

/// A system call that failed: which one, and errno.
package struct SystemError: Error, CustomStringConvertible {
    /// The operation, and what it was about.
    package let operation: String
    /// errno (errno(3)).
    package let code: Int32

    /// An operation that failed with a code.
    package init(operation: String, code: Int32) {
        (self.operation, self.code) = (operation, code)
    }

    static let outOfMemory = SystemError(operation: "secure a connection", code: ENOMEM)

    package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
