import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// A blocking client that sends and receives raw bytes. It throws if a wait takes too long.
final class TestClient: @unchecked Sendable {  // One test owns it and uses it from one thread at a time.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How the server ended a connection.
    enum Ending { case end, reset }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects; `from` is the local loopback address.
    init(_ server: SocketAddress, from: SocketAddress? = nil, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(server.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let number = descriptor
        if let from, from.withSockaddr({ bind(number, $0, $1) }) != 0 { throw Failure(description: "bind: \(errno)") }
        guard server.withSockaddr({ connect(number, $0, $1) }) == 0 else {
            throw Failure(description: "connect: \(SystemError(operation: "connect", code: errno))")
        }
    }

    deinit { close(descriptor) }

    // MARK: Sending

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT, to: "send")
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// How many of the bytes the kernel takes at once; 0 if none.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        max(0, Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }

    /// Half-closes: the client can still read.
    func shutdownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the close a reset, as after a killed process or a broken network.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends each piece at once, even while another one is not acknowledged yet (tcp(7): TCP_NODELAY).
    func sendWithoutDelay() {
        var option: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &option, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: Receiving

    /// Reads one answer; an answer to HEAD has no body.
    func answer(toHead: Bool = false) throws -> TestAnswer {
        while true {
            if let answer = TestAnswer(received, toHead: toHead) {
                received.removeFirst(answer.length)
                return answer
            }
            let text = String(decoding: received, as: UTF8.self)
            guard try receive() == nil else { throw Failure(description: "the connection ended after: \(text)") }
        }
    }

    /// Reads this many bytes; fewer if the connection ends first.
    func bytes(_ count: Int) throws -> [UInt8] {
        while received.count < count, try receive() == nil {}
        defer { received.removeFirst(min(count, received.count)) }
        return Array(received.prefix(count))
    }

    /// Sends a GET request and reads its answer.
    func get(_ path: String, _ fields: String = "") throws -> TestAnswer {
        try send("GET \(path) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
        return try answer()
    }

    /// Reads until the server ends the connection: the remaining bytes, and how it ended.
    func remainder() throws -> (bytes: [UInt8], ending: Ending) {
        while true {
            if let ending = try receive() {
                defer { received = [] }
                return (received, ending)
            }
        }
    }

    /// Waits for the server to end the connection; true if no byte and no reset came first.
    func isEndedSilently() throws -> Bool {
        let (bytes, ending) = try remainder()
        return bytes.isEmpty && ending == .end
    }

    private func receive() throws -> Ending? {
        try wait(for: POLLIN, to: "receive")
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET || errno == EPIPE { return .reset }
        guard count >= 0 else { throw Failure(description: "recv: errno \(errno)") }
        received += buffer[..<count]
        return count == 0 ? .end : nil
    }

    private func wait(for event: Int32, to operation: String) throws {
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        while true {
            let count = poll(&entry, 1, Patience.milliseconds)
            if count > 0 { return }
            guard count < 0, errno == EINTR else { throw Failure(description: "waited too long to \(operation)") }
        }
    }
}

/// Whether a descriptor becomes ready for such an event of poll(2).
func isReady(_ number: Int32, _ event: Int32, within milliseconds: Int32) -> Bool {
    var wanted = pollfd(fd: number, events: Int16(event), revents: 0)
    return poll(&wanted, 1, milliseconds) == 1
}

extension ListeningSocket {
    /// The next connection.
    func accepted() throws -> Descriptor {
        try #require(isReady(descriptor.number, POLLIN, within: Patience.milliseconds))
        let accepted = try accept()
        return Descriptor(takingOwnershipOf: try #require(accepted).number)
    }
}
