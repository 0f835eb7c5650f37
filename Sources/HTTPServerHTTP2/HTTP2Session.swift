import CNGHTTP2
import HTTPServer

/// One connection's HTTP/2: the one owner of the library's session, used on the connection's loop only.
final class HTTP2Session: StreamSession {
    /// Nanoseconds after which `x-request-id` is indexed again, before the values of `Date` evict it from the peer's table.
    static let memoryOfRequestID: UInt64 = 15_000_000_000

    /// Bytes of requests that are taken before what answers them is produced: a request needs two kilobytes until it is
    /// answered, and those of a few are used again while they are in the processor's nearest cache.
    private static let bytesAtOnce = 256

    let pointer: OpaquePointer
    private let libraryMemory: SessionMemory
    private var isTrimmed = false
    let sessions: HTTP2Sessions
    let requests: StreamRequests
    // Loop thread only, and changed by single steps: skips runtime checks, which cost 700 of a request's 16,200 instructions.
    @exclusivity(unchecked) var streams = HTTP2Streams()
    var flood: FloodGuard
    var scanner = FrameScanner()
    var head = IncomingHead()
    /// The monotonic clock as it was when the turn began.
    var now: UInt64
    private var ending = SessionEnding()
    /// Whether the peer has said that it speaks HTTP/2.
    var hasSettings = false
    /// The highest stream that has begun, and the highest that we have reset; 0 if none.
    var lastStream: Int32 = 0
    var lastStreamReset: Int32 = 0
    /// When the name of the request's id is added to the peer's table again.
    var remembersRequestIDAgainAt: UInt64 = 0

    init(
        takingOwnershipOf pointer: OpaquePointer, in memory: SessionMemory, _ sessions: HTTP2Sessions,
        _ requests: StreamRequests
    ) {
        (self.pointer, self.sessions, self.requests, libraryMemory) = (pointer, sessions, requests, memory)
        now = requests.now
        flood = FloodGuard(sessions.limits, at: now)
        nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(self).toOpaque())
        let settings = sessions.settings
        nghttp2_submit_settings(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    }

    deinit { nghttp2_session_del(pointer) }

    // MARK: Bytes

    func receive(_ bytes: UnsafeRawBufferPointer) {
        guard fault == nil else { return }
        now = requests.now
        isTrimmed = false
        flood.bytesCame(bytes.count)
        var first = 0
        while first < bytes.count {
            let next = min(bytes.count, first + Self.bytesAtOnce)
            let part = UnsafeRawBufferPointer(rebasing: bytes[first..<next])
            takeRefusingBodies(part)
            while fault == nil, next < bytes.count, requests.hasRoom, produce() {}
            guard fault == nil else { return }
            first = next
        }
        if !flood.countUnreported(isInHead: head.isOpen, at: now) { end(by: .idleFrames) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) {
        let count = nghttp2_session_mem_recv(
            pointer, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        if count < 0 { end(by: SessionFault(libraryError: count)) }
    }

    func produce() -> Bool {
        if fault == nil {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(pointer, &bytes)
            if count < 0 { end(by: SessionFault(libraryError: count)) }
            if count > 0 { requests.put(UnsafeRawBufferPointer(start: bytes, count: count)) }
            if count >= 0 { return count > 0 }
        }
        ending.goAwayBytes.withUnsafeBytes { requests.put($0) }
        ending.goAwayBytes = []
        return false
    }

    var phase: StreamPhase? {
        guard fault == nil, nghttp2_session_want_read(pointer) != 0 || nghttp2_session_want_write(pointer) != 0 else {
            return nil
        }
        // What waits for its peer to widen a window would wait for ever.
        if ending.hasPeerEnded { return awaitsAnswers || nghttp2_session_want_write(pointer) != 0 ? .closing : nil }
        if streams.areOpen { return .busy }
        return hasSettings ? .idle : .opening
    }

    // MARK: Streams

    /// Why the session ends at once; GOAWAY is then all that is sent.
    var fault: SessionFault? { ending.fault }

    var memory: Int {
        libraryMemory.bytes + HTTP2Footprint.session + (isTrimmed ? 0 : HTTP2Footprint.pages) + streams.memory
    }

    var stalledSince: UInt64? {
        streams.all.lazy.filter { $0.wait != .none && $0.wait != .answer }.map(\.since).min()
    }

    var awaitsAnswers: Bool { streams.all.contains { $0.wait == .answer } }

    func trim() {
        guard !isTrimmed, !streams.areOpen, fault == nil, nghttp2_session_want_write(pointer) == 0 else { return }
        streams = HTTP2Streams()
        libraryMemory.trim()
        isTrimmed = true
    }

    /// Adds a stream that begins.
    func add(_ identifier: Int32) {
        let stream = streams.begin(identifier, at: now)
        nghttp2_session_set_stream_user_data(pointer, identifier, Unmanaged.passUnretained(stream).toOpaque())
    }

    /// Calls with a stream if it is open. It is not released meanwhile, so it is not counted.
    @inline(__always)
    func withStream(_ identifier: Int32, _ body: (HTTP2Stream) -> Void) {
        guard streams.lastUsed?._withUnsafeGuaranteedRef({ $0.identifier }) == identifier || find(identifier) else {
            return
        }
        streams.lastUsed?._withUnsafeGuaranteedRef { body($0) }
    }

    /// Asks the library for a stream that is not the one that was used last; false if it is not open.
    private func find(_ identifier: Int32) -> Bool {
        guard let stream = nghttp2_session_get_stream_user_data(pointer, identifier) else { return false }
        streams.lastUsed = Unmanaged.fromOpaque(stream)
        return true
    }

    func streamEnded(_ identifier: Int32) {
        withStream(identifier) { stream in
            if stream.wait == .answer { requests.forget(UInt32(bitPattern: identifier)) }
            streams.end(stream)
        }
    }

    func reset(_ stream: HTTP2Stream, _ code: ErrorCode) {
        nghttp2_submit_rst_stream(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.identifier, code.rawValue)
    }

    // MARK: Ends

    /// Ends at once, and says why.
    func end(by fault: SessionFault) {
        guard ending.fault == nil else { return }
        ending.fault = fault
        ending.goAwayBytes = fault.goAway(
            lastStream: UInt32(bitPattern: nghttp2_session_get_last_proc_stream_id(pointer)))
        if let reason = fault.reason { requests.tellOfEnd("HTTP/2: \(reason)") }
    }

    /// First says that the end is near, so that no request that is on its way is lost (RFC 9113 section 6.8).
    func drain() {
        guard !ending.isDraining, fault == nil else { return }
        ending.isDraining = true
        nghttp2_submit_shutdown_notice(pointer)
    }

    /// Asks for an echo after the notice: once it has come, so has all that was sent before the notice was read.
    func goAwaySent() {
        guard ending.isDraining, !isClosing else { return }
        nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// The echo has come, or is not waited for any longer.
    func drained() {
        if ending.isDraining { close() }
    }

    /// Whether the peer knows the last stream that is answered.
    var isClosing: Bool { ending.isClosing }

    /// Takes no stream beyond those that have come.
    func close() {
        guard !isClosing, fault == nil else { return }
        ending.isClosing = true
        nghttp2_submit_goaway(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(pointer),
            ErrorCode.none.rawValue, nil, 0)
        for stream in streams.all where stream.wait == .body { reset(stream, .none) }
    }

    func peerEnded() {
        ending.hasPeerEnded = true
        close()
    }

    func timeOut() {
        guard fault == nil else { return }
        now = requests.now
        drained()
        guard streams.areOpen else { return terminate() }
        endStalled(after: .max)
    }

    func endStalled(after patience: UInt64) {
        guard fault == nil else { return }
        now = requests.now
        for stream in streams.all {
            let passed = now - min(now, stream.since)
            switch stream.wait {
            case .head where passed >= min(sessions.timeouts.head, patience): return terminate()
            case .window where passed >= min(sessions.timeouts.write, patience): reset(stream, .cancel)
            case .body where passed >= min(sessions.timeouts.head, patience): reset(stream, .none)
            default: continue
            }
        }
    }

    private func terminate() { nghttp2_session_terminate_session(pointer, ErrorCode.none.rawValue) }
}

/// How a session ends.
private struct SessionEnding {
    var fault: SessionFault?
    /// What says the fault.
    var goAwayBytes: [UInt8] = []
    var isDraining = false
    var hasPeerEnded = false
    var isClosing = false
}

/// The fields that come, of a request or after its body.
struct IncomingHead {
    /// Whether they come, for which there are limits of their own.
    var isOpen = false
    /// Whether they are those after a body.
    var isTrailer = false
    var trailerBytes = 0
    var hasMalformedTrailer = false
}
