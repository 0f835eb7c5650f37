import COpenSSL
import HTTPServer
import OpenSSLCrypto

/// One connection's TLS: the one owner of OpenSSL's object, used only on the connection's loop. OpenSSL's error queue,
/// which all connections of a thread share, is empty before and after each call.
final class TLSConnection: SecureTransport {
    private let pointer: OpaquePointer
    /// The certificates that a handshake can show.
    private let contexts: TLSContexts
    /// It has the current trust that verifies clients.
    private let server: TLSServer
    private let records = HandshakeRecords()
    private let socket: RecordSocket
    /// The peer's identity; nil until it has presented a certificate.
    private var client: VerifiedClient?
    /// Why the peer's certificate was not accepted.
    private var refusal: ClientRefusal?
    /// False after a fatal error: then no OpenSSL function may be called on the connection.
    private var isUsable = true
    /// Whether the last read returned bytes, so that more may be buffered.
    private var mayHoldBytes = false
    private var isSecure = false
    /// Whether a record waits to be sent.
    private var isSending = false

    /// A connection before its handshake; nil if out of memory. The caller closes the descriptor.
    init?(_ contexts: TLSContexts, of server: TLSServer, descriptor: Int32) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        guard let pointer = SSL_new(contexts.fallback.pointer) else { return nil }
        guard let socket = RecordSocket(descriptor, of: pointer) else {
            SSL_free(pointer)
            return nil
        }
        (self.pointer, self.contexts, self.server, self.socket) = (pointer, contexts, server, socket)
        SSL_set_accept_state(pointer)
        if contexts.clients != nil { SSL_set_ex_data(pointer, 0, Unmanaged.passUnretained(self).toOpaque()) }
    }

    deinit {
        SSL_free(pointer)
    }

    func handshake() -> HandshakeProgress {
        OpenSSLErrorQueue.clear()
        let result = SSL_do_handshake(pointer)
        guard result != 1 else { return handshakeDone() }
        guard handshakeBytes <= maxHandshakeBytes else {
            OpenSSLErrorQueue.clear()
            isUsable = false
            return .failed("its peer sent more than \(maxHandshakeBytes) bytes of a handshake")
        }
        switch outcome(of: result) {
        case .waitsToReceive: return .waitsToReceive
        case .waitsToSend: return .waitsToSend
        case .failed where reason != SSL_R_UNEXPECTED_EOF_WHILE_READING && reason != 0:
            let isWithoutCertificate = reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE
            let failure = OpenSSLErrorQueue.failure(to: "complete the handshake").reason
            if let refusal { return .refused(refusal.reason) }
            return isWithoutCertificate ? .refused(failure) : .failed(failure)
        case .failed, .refused, .ended, .bytes:
            OpenSSLErrorQueue.clear()
            return .ended
        }
    }

    private func handshakeDone() -> HandshakeProgress {
        (mayHoldBytes, isSecure) = (true, true)
        records.watch(pointer)
        client = contexts.clients.flatMap { VerifiedClient(pointer, $0) }
        return .done
    }

    /// Bytes that the peer has sent so far.
    private var handshakeBytes: Int { Int(BIO_number_read(SSL_get_rbio(pointer))) }

    /// OpenSSL itself takes a greeting of 131 kB, and certificates of 102 kB, and keeps them until they are whole.
    private var maxHandshakeBytes: Int {
        let messages = contexts.clients == nil ? 20_480 : 53_248
        // Skipped bytes are not kept.
        let isSkipping = SSL_get_early_data_status(pointer) == SSL_EARLY_DATA_REJECTED
        return isSkipping ? messages + Int(TLSContext.skippedEarlyData) : messages
    }

    var identity: (any PeerIdentity)? { client?.identity }

    var version: SecureVersion? {
        switch SSL_version(pointer) {
        case TLS1_2_VERSION: .tls12
        case TLS1_3_VERSION: .tls13
        default: nil
        }
    }

    var isResumed: Bool { SSL_session_reused(pointer) == 1 }

    /// Keeps why a certificate was not accepted, for the notice of the failed handshake.
    static func noteRefusal(in store: OpaquePointer?) {
        let index = SSL_get_ex_data_X509_STORE_CTX_idx()
        guard let connection = X509_STORE_CTX_get_ex_data(store, index).map({ OpaquePointer($0) }),
            let owner = SSL_get_ex_data(connection, 0)
        else { return }
        Unmanaged<TLSConnection>.fromOpaque(owner).takeUnretainedValue().refusal = ClientRefusal(in: store)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> SecureProgress {
        OpenSSLErrorQueue.clear()
        var count = 0
        let result = SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        mayHoldBytes = result == 1
        guard result != 1 else { return clientRefusal().map { refuse($0.reason) } ?? .bytes(count) }
        defer { OpenSSLErrorQueue.clear() }
        guard !records.isExceeded else {
            return refuse("its peer sent too many key updates or handshakes in a second")
        }
        return outcome(of: result)
    }

    /// Why the peer is refused: its certificate has expired or is no longer trusted.
    private func clientRefusal() -> ClientRefusal? {
        guard let known = client else { return nil }
        let (trust, now) = (server.trust, ServerTime.now().epochSeconds)
        guard !known.holds(by: trust, at: now) else { return nil }
        do throws(ClientRefusal) {
            client = try known.renewed(pointer, by: trust, at: now)
            return nil
        } catch {
            return error
        }
    }

    private func refuse(_ reason: String) -> SecureProgress {
        isUsable = false
        return .refused(reason)
    }

    func send(_ bytes: UnsafeRawBufferPointer, isFollowed: Bool) -> SecureProgress {
        OpenSSLErrorQueue.clear()
        socket.isFollowed = isFollowed
        defer { socket.isFollowed = false }
        var sent = 0
        while sent < bytes.count {
            var count = 0
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let result = SSL_write_ex(pointer, rest.baseAddress, rest.count, &count)
            isSending = result != 1
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

    func sendHeld() { socket.sendHeld() }

    var memory: Int {
        guard isSecure else { return TLSFootprint.handshake(of: handshakeBytes) }
        let hasPart = SSL_has_pending(pointer) == 1
        return TLSFootprint.secure + (client == nil ? 0 : TLSFootprint.client)
            + (hasPart ? TLSFootprint.record : 0) + (isSending ? TLSFootprint.record : 0)
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

    /// Why a call failed.
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
