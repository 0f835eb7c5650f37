import COpenSSL
import HTTPServer

/// A connection's socket as OpenSSL reads and writes it. Its own sends each record by itself, and each costs as much as
/// five system calls: ours leaves with the kernel what is followed by more.
///
/// The connection owns it, and OpenSSL's object that refers to it lives no longer than the connection's.
final class RecordSocket {
    private let socket: BorrowedSocket
    /// Whether what is written now is followed by more, at the latest by the end of the connection.
    var isFollowed = false
    /// Whether the kernel holds back what was written last.
    private var holds = false
    /// Whose records these are; set before the first is written.
    private let connection: OpaquePointer

    /// OpenSSL's description of this kind, made once and for good; nil if memory had run out.
    private static nonisolated(unsafe) let method = makeMethod()

    /// Connects OpenSSL's connection with a socket; nil if memory has run out.
    init?(_ descriptor: Int32, of connection: OpaquePointer) {
        (socket, self.connection) = (BorrowedSocket(descriptor), connection)
        guard let method = Self.method, let stream = BIO_new(method) else { return nil }
        BIO_set_data(stream, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(stream, 1)
        // One reference is for both directions.
        SSL_set_bio(connection, stream, stream)
    }

    private static func makeMethod() -> OpaquePointer? {
        guard let method = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "socket") else { return nil }
        BIO_meth_set_read(method) { stream, bytes, count in
            RecordSocket.of(stream).map { $0.read(stream, bytes, count) } ?? -1
        }
        BIO_meth_set_write(method) { stream, bytes, count in
            RecordSocket.of(stream).map { $0.write(stream, bytes, count) } ?? -1
        }
        BIO_meth_set_ctrl(method) { stream, command, _, _ in
            switch command {
            // Nothing is kept here that could be flushed.
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: BIO_test_flags(stream, BIO_FLAGS_IN_EOF) == 0 ? 0 : 1
            default: 0
            }
        }
        return method
    }

    private static func of(_ stream: OpaquePointer?) -> RecordSocket? {
        BIO_get_data(stream).map { Unmanaged<RecordSocket>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ stream: OpaquePointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
        BIO_clear_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        do throws(SystemError) {
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            if let received = try socket.receive(into: buffer) {
                if received == 0 { BIO_set_flags(stream, BIO_FLAGS_IN_EOF) }
                return Int32(received)
            }
            BIO_set_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        } catch {}
        return -1
    }

    private func write(_ stream: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
        BIO_clear_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        do throws(SystemError) {
            let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            let isHeld = isFollowed || sendsTicket
            if let sent = try socket.send(buffer, isFollowed: isHeld) {
                holds = isHeld
                return Int32(sent)
            }
            BIO_set_flags(stream, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        } catch {}
        return -1
    }

    /// Sends what the kernel holds back.
    func sendHeld() {
        if holds { socket.sendHeld() }
        holds = false
    }

    /// A ticket of TLS 1.3 comes after the client's last message of the handshake, which its request follows: the client
    /// does not wait for it, and the answer can take it along if the request is here already.
    private var sendsTicket: Bool {
        SSL_get_state(connection) == TLS_ST_SW_SESSION_TICKET && SSL_version(connection) == TLS1_3_VERSION
    }
}
