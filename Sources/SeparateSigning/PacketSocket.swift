import CLinux
import Glibc
import SystemFiles

/// The one owner of a socket that keeps the limits of messages (unix(7), SOCK_SEQPACKET).
final class PacketSocket: Sendable {
    let descriptor: Int32

    /// Takes the descriptor and closes it in `deinit`.
    init(takingOwnershipOf descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Two that are connected to each other.
    static func pair() throws(SigningProcessError) -> (PacketSocket, PacketSocket) {
        var descriptors: [Int32] = [-1, -1]
        // Not imported by Swift: SOCK_SEQPACKET | SOCK_CLOEXEC.
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
            throw SigningProcessError("a socket for the signing process cannot be made")
        }
        let pair = (
            PacketSocket(takingOwnershipOf: descriptors[0]), PacketSocket(takingOwnershipOf: descriptors[1])
        )
        for socket in [pair.0, pair.1] { socket.makeRoom() }
        return pair
    }

    /// A packet must fit into the buffer of its sender.
    private func makeRoom() {
        var size = Int32(2 * SigningRequest.maxBytes)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Has each call for a message fail after so many seconds.
    func limitWaiting(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    func send(_ packet: [UInt8]) -> Bool { SystemCall.send(packet, by: descriptor) == packet.count }

    func send(_ packet: [UInt8], with sockets: [PacketSocket]) -> Bool {
        let descriptors = sockets.map(\.descriptor)
        return clinux_send_descriptors(descriptor, packet, packet.count, descriptors, descriptors.count)
            == packet.count
    }

    /// The next packet; nil at the end, if it is longer than the buffer, or if it does not come in time.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
        let count = SystemCall.receive(into: buffer, from: descriptor)
        guard count > 0, count < buffer.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Whether there is a packet, or the end; false after a signal.
    func waitInterruptibly() -> Bool { clinux_wait_for_input_or_signal(descriptor, -1) }

    /// Whether one of the sides has ended, whatever still waits to be read.
    var hasEnded: Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// Returns once the other side has ended; what it sends is dropped.
    func waitForEnd() { while receive(atMost: 16) != nil {} }

    /// The next packet, at most this long; nil as above.
    func receive(atMost limit: Int) -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: limit + 1)
        return packet.withUnsafeMutableBytes { receive(into: $0).map { Array($0) } }
    }

    /// The next packet with its sockets; nil at the end. Descriptors of anything else that came with it are closed.
    func receiveWithSockets(atMost limit: Int) -> (packet: [UInt8], sockets: [PacketSocket])? {
        var (packet, descriptors) = ([UInt8](repeating: 0, count: limit), [Int32](repeating: -1, count: 64))
        var number = descriptors.count
        let count = clinux_receive_descriptors(descriptor, &packet, packet.count, &descriptors, &number)
        let sockets = descriptors.prefix(number).map { PacketSocket(takingOwnershipOf: $0) }.filter(\.isPacketSocket)
        return count > 0 ? (Array(packet.prefix(count)), sockets) : nil
    }

    /// Whether it is such a socket, and not a file or a connection to somewhere else.
    private var isPacketSocket: Bool {
        option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == Int32(SOCK_SEQPACKET.rawValue)
    }

    private func option(_ name: Int32) -> Int32? {
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// Ends what waits for a message, on both sides.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Why no process signs.
package struct SigningProcessError: Error, CustomStringConvertible, Sendable {
    /// One sentence.
    package let sentence: String
    /// Whether another try may succeed without a change of a setting.
    package let mayPass: Bool

    /// What cannot be done, for the reason of `errno`.
    init(_ problem: String) {
        self.init(sentence: "\(problem): \(String(cString: strerror(errno)))", mayPass: true)
    }

    package init(sentence: String, mayPass: Bool = false) { (self.sentence, self.mayPass) = (sentence, mayPass) }

    package var description: String { sentence }
}
