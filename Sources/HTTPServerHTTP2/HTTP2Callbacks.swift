import CNGHTTP2

/// The one owner of the library's table of callbacks; each callback finds its session.
final class HTTP2Callbacks {
    let pointer: OpaquePointer?

    init() {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        pointer = callbacks
        guard let callbacks else { return }
        hearFrames(callbacks)
        hearRequests(callbacks)
        speak(callbacks)
    }

    deinit { nghttp2_session_callbacks_del(pointer) }

    private func speak(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, session in
            session?.asSession { session in frame.map { session.sent($0.pointee) } ?? true } ?? failure
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, count, source, session in
            session?.withSession { session in
                session.putBody(header, count, of: source?.pointee.ptr) ? 0 : NGHTTP2_ERR_WOULDBLOCK.rawValue
            } ?? failure
        }
    }

    private func hearFrames(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, session in
            session?.asSession { session in header.map { session.frameBegins($0.pointee) } ?? true } ?? failure
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, session in
            session?.asSession { session in
                frame.map { session.received($0.pointee) }
                return true
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, _, count, session in
            session?.asSession { session in
                session.receivedBody(count, of: stream)
                return true
            } ?? failure
        }
    }

    private func hearRequests(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, session in
            session?.asSession { session in
                frame.map { session.headBegins($0.pointee) }
                return true
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameLength, value, valueLength, _, session in
            session?.asSession { session in
                let name = UnsafeRawBufferPointer(start: name, count: nameLength)
                let value = UnsafeRawBufferPointer(start: value, count: valueLength)
                return session.received(name, value)
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, session in
            session?.asSession { session in
                session.streamEnded(stream)
                return true
            } ?? failure
        }
    }
}

/// What a function returns to end the session.
private let failure = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

extension UnsafeMutableRawPointer {
    /// Calls with the session that the library was given, which holds the library's own.
    fileprivate func withSession(_ body: (HTTP2Session) -> Int32) -> Int32 {
        Unmanaged<HTTP2Session>.fromOpaque(self)._withUnsafeGuaranteedRef { body($0) }
    }

    /// The same, where false ends the session.
    fileprivate func asSession(_ body: (HTTP2Session) -> Bool) -> Int32 { withSession { body($0) ? 0 : failure } }
}
