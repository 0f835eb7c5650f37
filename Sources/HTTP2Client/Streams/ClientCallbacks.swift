import CNGHTTP2

/// The one owner of the library's table of callbacks; each callback finds its session.
final class ClientCallbacks {
    let pointer: OpaquePointer?

    init() {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        pointer = callbacks
        guard let callbacks else { return }
        hearFields(callbacks)
        hearFrames(callbacks)
    }

    deinit { nghttp2_session_callbacks_del(pointer) }

    private func hearFields(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, session in
            if let frame { session?.withSession { $0.fieldsBegin(frame.pointee.hd.stream_id) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameLength, value, valueLength, _, session in
            guard let frame else { return 0 }
            session?.withSession { session in
                session.received(
                    UnsafeRawBufferPointer(start: name, count: nameLength),
                    UnsafeRawBufferPointer(start: value, count: valueLength), of: frame.pointee.hd.stream_id)
            }
            return 0
        }
    }

    private func hearFrames(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, session in
            session?.withSession { $0.receivedBody(UnsafeRawBufferPointer(start: bytes, count: count), of: stream) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, session in
            if let frame { session?.withSession { $0.received(frame.pointee) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, session in
            session?.withSession { $0.streamEnded(stream, code) }
            return 0
        }
    }
}

extension UnsafeMutableRawPointer {
    /// Calls with the session that the library was given, which holds the library's own.
    fileprivate func withSession(_ body: (ClientSession) -> Void) {
        Unmanaged<ClientSession>.fromOpaque(self)._withUnsafeGuaranteedRef { body($0) }
    }
}
