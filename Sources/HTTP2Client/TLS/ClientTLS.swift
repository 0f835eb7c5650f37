import COpenSSL
import OpenSSLCrypto

/// One connection's TLS, at the client's end: the one owner of OpenSSL's object. OpenSSL's error queue, which all
/// connections of a thread share, is empty before and after each call. The process must ignore SIGPIPE.
final class ClientTLS {
    /// What an operation led to.
    enum Progress: Equatable {
        case bytes(Int)
        case waitsToReceive, waitsToSend
        /// The server has ended the connection.
        case ended
        case failed(String)
    }

    /// How far the handshake is.
    enum Handshake: Equatable {
        case done(isHTTP2: Bool)
        case waitsToReceive, waitsToSend
        case failed(String)
    }

    private let pointer: OpaquePointer
    /// False after a fatal error: then no OpenSSL function may be called on the connection.
    private var isUsable = true
    /// Whether the last read returned bytes, so that more may be buffered.
    private var mayHoldBytes = false

    /// A connection to a host by a connected socket, which must outlive it; nil if out of memory. The host is a name or
    /// an address, an IPv6 address in brackets.
    init?(_ context: ClientTLSContext, descriptor: Int32, host: String) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        guard let pointer = SSL_new(context.pointer) else { return nil }
        self.pointer = pointer
        guard SSL_set_fd(pointer, descriptor) == 1, expect(host) else { return nil }
        SSL_set_connect_state(pointer)
    }

    deinit { SSL_free(pointer) }

    /// Only a certificate for this host is accepted. A name is also sent (RFC 6066 section 3).
    private func expect(_ host: String) -> Bool {
        let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let parameters = SSL_get0_param(pointer)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, address) == 1 { return true }
        OpenSSLErrorQueue.clear()
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let isNamed = host.withCString { name in
            let name = UnsafeMutableRawPointer(mutating: name)
            return SSL_ctrl(pointer, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), name) == 1
        }
        return isNamed && X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
    }

    /// The handshake's next step.
    func handshake() -> Handshake {
        OpenSSLErrorQueue.clear()
        let result = SSL_do_handshake(pointer)
        if result == 1 { return .done(isHTTP2: isHTTP2) }
        switch outcome(of: result) {
        case .waitsToReceive: return .waitsToReceive
        case .waitsToSend: return .waitsToSend
        case .failed(let reason): return .failed(certificateProblem ?? reason)
        case .ended, .bytes: return .failed("the server ended the connection")
        }
    }

    /// Why the certificate was not accepted; nil if it was, or none has come.
    private var certificateProblem: String? {
        let code = SSL_get_verify_result(pointer)
        guard code != X509_V_OK else { return nil }
        return "SSL certificate problem: \(String(cString: X509_verify_cert_error_string(code)))"
    }

    private var isHTTP2: Bool {
        var chosen: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(pointer, &chosen, &length)
        return UnsafeBufferPointer(start: chosen, count: Int(length)).elementsEqual("h2".utf8)
    }

    /// Bytes that have come.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
        OpenSSLErrorQueue.clear()
        var count = 0
        let result = SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        mayHoldBytes = result == 1
        return result == 1 ? .bytes(count) : outcome(of: result)
    }

    /// Whether bytes have come that the socket no longer reports.
    var holdsBytes: Bool { mayHoldBytes && SSL_has_pending(pointer) == 1 }

    /// Sends bytes; how many were taken.
    func send(_ bytes: UnsafeRawBufferPointer) -> Progress {
        OpenSSLErrorQueue.clear()
        var count = 0
        let result = SSL_write_ex(pointer, bytes.baseAddress, bytes.count, &count)
        return result == 1 ? .bytes(count) : outcome(of: result)
    }

    /// Says that nothing more comes.
    func close() {
        guard isUsable, SSL_is_init_finished(pointer) == 1 else { return }
        OpenSSLErrorQueue.clear()
        SSL_shutdown(pointer)
        OpenSSLErrorQueue.clear()
        isUsable = false
    }

    /// Why a call did not succeed.
    private func outcome(of result: Int32) -> Progress {
        switch SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .waitsToReceive
        case SSL_ERROR_WANT_WRITE: return .waitsToSend
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL:
            isUsable = false
            OpenSSLErrorQueue.clear()
            return .failed("the connection was cut")
        default:
            isUsable = false
            return .failed(OpenSSLErrorQueue.failure(to: "go on").reason)
        }
    }
}
