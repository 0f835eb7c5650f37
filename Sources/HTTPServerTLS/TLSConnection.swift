internal import COpenSSL
import HTTPServer
internal import OpenSSLObjects

/// One connection's TLS: the one owner of OpenSSL's object, used on the connection's loop only. OpenSSL's queue of errors,
/// which all connections of a thread share, is empty before each call and after it.
final class TLSConnection: SecureTransport {
    private let pointer: OpaquePointer
    /// Where a handshake looks for the certificate.
    private let contexts: TLSContexts
    /// After a fatal error nothing may be asked of OpenSSL any more.
    private var isUsable = true
    /// Whether the last reading gave something, so that there may be more of it.
    private var mayHoldBytes = false

    /// A connection that has not begun its handshake; nil if there is no memory. The descriptor is not closed with it.
    init?(_ contexts: TLSContexts, descriptor: Int32) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        guard let pointer = SSL_new(contexts.fallback.pointer) else { return nil }
        (self.pointer, self.contexts) = (pointer, contexts)
        guard SSL_set_fd(pointer, descriptor) == 1 else { return nil }
        SSL_set_accept_state(pointer)
    }

    deinit {
        SSL_free(pointer)
    }

    func handshake() -> HandshakeProgress {
        OpenSSLErrorQueue.clear()
        let result = SSL_do_handshake(pointer)
        guard result != 1 else {
            mayHoldBytes = true
            return .done
        }
        switch outcome(of: result) {
        case .waitsToReceive: return .waitsToReceive
        case .waitsToSend: return .waitsToSend
        case .failed where reason == SSL_R_HTTP_REQUEST:
            OpenSSLErrorQueue.clear()
            return .plainRequest
        case .failed where reason != SSL_R_UNEXPECTED_EOF_WHILE_READING && reason != 0:
            return .failed(OpenSSLErrorQueue.failure(to: "shake hands").reason)
        case .failed, .ended, .bytes:
            OpenSSLErrorQueue.clear()
            return .ended
        }
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> SecureProgress {
        OpenSSLErrorQueue.clear()
        var count = 0
        let result = SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        mayHoldBytes = result == 1
        guard result != 1 else { return .bytes(count) }
        defer { OpenSSLErrorQueue.clear() }
        return outcome(of: result)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> SecureProgress {
        OpenSSLErrorQueue.clear()
        var sent = 0
        while sent < bytes.count {
            var count = 0
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let result = SSL_write_ex(pointer, rest.baseAddress, rest.count, &count)
            guard result == 1 else {
                defer { OpenSSLErrorQueue.clear() }
                let outcome = outcome(of: result)
                guard case .waitsToSend = outcome, sent > 0 else { return outcome }
                break
            }
            sent += count
        }
        return .bytes(sent)
    }

    var hasStreams: Bool { ApplicationProtocol.isChosen(ApplicationProtocol.http2, by: pointer) }

    var holdsBytes: Bool { mayHoldBytes && SSL_has_pending(pointer) == 1 }

    func close() {
        guard isUsable, SSL_is_init_finished(pointer) == 1 else { return }
        OpenSSLErrorQueue.clear()
        SSL_shutdown(pointer)
        OpenSSLErrorQueue.clear()
        isUsable = false
    }

    /// The oldest reason in OpenSSL's queue; 0 if there is none.
    private var reason: Int32 { ERR_GET_REASON(ERR_peek_error()) }

    /// Why a call did nothing.
    private func outcome(of result: Int32) -> SecureProgress {
        switch SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .waitsToReceive
        case SSL_ERROR_WANT_WRITE: return .waitsToSend
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            isUsable = false
            return .failed
        }
    }
}
