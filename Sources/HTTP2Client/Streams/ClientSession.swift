import CNGHTTP2
import HTTPClient

/// One connection's HTTP/2 (RFC 9113) from bytes to answers and back: the one owner of the library's session, without a
/// socket.
final class ClientSession {
    /// The connection's window: without it the server would have to wait for ours to be opened while many answers come.
    private static let windowBytes: Int32 = 1 << 20
    /// Nothing more is put out until this many bytes were sent.
    private static let outputBytes = 65_536

    private let pointer: OpaquePointer
    private let callbacks = ClientCallbacks()
    private var calls: [Int32: StreamCall] = [:]
    private var known = KnownFields()
    private var fields = RequestFields()
    /// That of the last request; most go to the same.
    private var lastPlace: RequestPlace?
    private var ended: [(call: StreamCall, outcome: StreamOutcome)] = []
    /// Streams that have ended since the last look.
    private var freed = 0
    /// Why the connection cannot go on.
    private(set) var fault: String?
    /// How many requests the server allows at once; nil before it has said so.
    private(set) var limit: Int?
    /// Whether no request can be begun any more.
    private(set) var isDraining = false

    /// A session that greets the server; nil if out of memory.
    init?() {
        var session: OpaquePointer?
        guard let table = callbacks.pointer, nghttp2_session_client_new(&session, table, nil) == 0, let session else {
            return nil
        }
        pointer = session
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(StreamAnswer.maxFieldBytes)),
        ]
        guard nghttp2_submit_settings(session, Self.noFlags, settings, settings.count) == 0,
            nghttp2_session_set_local_window_size(session, Self.noFlags, 0, Self.windowBytes) == 0
        else { return nil }
    }

    deinit { nghttp2_session_del(pointer) }

    static let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

    // MARK: Bytes

    /// Takes bytes of the server.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        guard fault == nil else { return }
        let count = nghttp2_session_mem_recv(
            pointer, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        if count < 0 { fault = Self.reason(Int32(count)) }
    }

    /// Appends what is to be sent to the server.
    func produce(into output: inout [UInt8]) {
        while fault == nil, output.count < Self.outputBytes {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(pointer, &bytes)
            if count < 0 { fault = Self.reason(Int32(count)) }
            guard count > 0 else { break }
            output += UnsafeRawBufferPointer(start: bytes, count: count)
        }
        // After a fault the library has said GOAWAY and wants nothing more.
        let isOver = nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0
        if isOver, fault == nil { fault = "the server broke the rules of HTTP/2, or ended the connection" }
    }

    /// Says that no more requests come.
    func close() { nghttp2_submit_goaway(pointer, Self.noFlags, 0, NGHTTP2_NO_ERROR.rawValue, nil, 0) }

    private static func reason(_ code: Int32) -> String { String(cString: nghttp2_strerror(code)) }

    // MARK: Calls

    /// Begins a request; false if the connection takes none.
    func begin(_ call: StreamCall, at now: Nanoseconds) -> Bool {
        guard fault == nil, nghttp2_session_check_request_allowed(pointer) != 0 else {
            isDraining = true
            return false
        }
        var provider = nghttp2_data_provider()
        provider.source.ptr = Unmanaged.passUnretained(call).toOpaque()
        provider.read_callback = Self.readBody
        let body = call.body
        fields.set(call.request, to: place(of: call), bodyBytes: body.count)
        let stream = fields.withPairs { pairs, count in
            body.isEmpty
                ? nghttp2_submit_request(pointer, nil, pairs, count, nil, nil)
                : nghttp2_submit_request(pointer, nil, pairs, count, &provider, nil)
        }
        guard stream > 0 else {
            // All identifiers were used, or memory has run out.
            isDraining = true
            return false
        }
        call.sentAt = now
        calls[stream] = call
        return true
    }

    private func place(of call: StreamCall) -> RequestPlace {
        if let lastPlace, lastPlace.url == call.request.url { return lastPlace }
        let place = RequestPlace(call.request.url)
        lastPlace = place
        return place
    }

    /// The calls whose deadline has passed; their streams are reset.
    func expire(at now: Nanoseconds) -> [StreamCall] {
        let late = calls.filter { $0.value.deadline <= now }
        for stream in late.keys { drop(stream) }
        return Array(late.values)
    }

    /// The earliest deadline.
    var earliestDeadline: Nanoseconds? { calls.values.lazy.map(\.deadline).min() }

    /// The calls that have ended since the last look, and how many streams.
    func takeEnded() -> (calls: [(call: StreamCall, outcome: StreamOutcome)], streams: Int) {
        defer { (ended, freed) = ([], 0) }
        return (ended, freed)
    }

    /// The calls that have not ended.
    func takeAll() -> [StreamCall] {
        defer { calls = [:] }
        return Array(calls.values)
    }

    /// The peer need not answer any more.
    private func drop(_ stream: Int32) {
        calls[stream] = nil
        nghttp2_submit_rst_stream(pointer, Self.noFlags, stream, NGHTTP2_CANCEL.rawValue)
    }

    /// Copies the next part of a call's body, which lives as long as its stream: it is in `calls`.
    private static let readBody: nghttp2_data_source_read_callback = {
        _, stream, target, room, flags, source, user in
        guard let pointer = source?.pointee.ptr, let target, let user,
            Unmanaged<ClientSession>.fromOpaque(user).takeUnretainedValue().calls[stream] != nil
        else { return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        let call = Unmanaged<StreamCall>.fromOpaque(pointer).takeUnretainedValue()
        let rest = call.body[call.sentBytes...].prefix(room)
        UnsafeMutableRawBufferPointer(start: target, count: room).copyBytes(from: rest)
        call.sentBytes += rest.count
        if call.sentBytes == call.body.count { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return rest.count
    }
}

/// What the library reports.
extension ClientSession {
    func fieldsBegin(_ stream: Int32) { calls[stream]?.answer.beginFields() }

    func received(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, of stream: Int32) {
        guard let call = calls[stream] else { return }
        if !call.answer.take(name, value, &known) { exceeded(call, stream) }
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of stream: Int32) {
        guard let call = calls[stream] else { return }
        if !call.answer.takeBody(bytes) { exceeded(call, stream) }
    }

    /// A whole frame has come.
    func received(_ frame: nghttp2_frame) {
        switch UInt32(frame.hd.type) {
        case NGHTTP2_SETTINGS.rawValue:
            let streams = nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
            if frame.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 { limit = Int(streams) }
        case NGHTTP2_GOAWAY.rawValue: isDraining = true
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            if frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { complete(frame.hd.stream_id) }
        default: return
        }
    }

    /// An answer may be complete before its request is (RFC 9113 section 8.1).
    private func complete(_ stream: Int32) {
        guard let call = calls[stream] else { return }
        call.answer.end()
        guard nghttp2_session_get_stream_local_close(pointer, stream) == 0 else { return }
        nghttp2_submit_rst_stream(pointer, Self.noFlags, stream, NGHTTP2_CANCEL.rawValue)
    }

    func streamEnded(_ stream: Int32, _ code: UInt32) {
        freed += 1
        guard let call = calls.removeValue(forKey: stream) else { return }
        if call.answer.isComplete || call.answer.excess != nil { return ended.append((call, call.answer.outcome)) }
        // The library closes streams beyond the last one of a GOAWAY with this code, too.
        if code == NGHTTP2_REFUSED_STREAM.rawValue { return ended.append((call, .refused)) }
        let name = String(cString: nghttp2_http2_strerror(code))
        ended.append((call, .failed(.other(reason: "the stream was reset (\(name))"))))
    }

    private func exceeded(_ call: StreamCall, _ stream: Int32) {
        ended.append((call, call.answer.outcome))
        drop(stream)
    }
}
