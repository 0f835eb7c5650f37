import CNGHTTP2
import HTTPServer

/// One connection's HTTP/2: the one owner of the library's session, used on the connection's loop only.
final class HTTP2Session: StreamSession {
    /// A quarter of what it takes the dates of a full table, one each second, to drive all else out, in nanoseconds.
    static let memoryOfRequestID: UInt64 = 15_000_000_000

    /// Bytes of requests that are taken before what answers them is produced: a request needs two kilobytes until it is
    /// answered, and those of a few are used again while they are in the processor's nearest cache.
    private static let bytesAtOnce = 256

    let pointer: OpaquePointer
    private let libraryMemory: SessionMemory
    private var isTrimmed = false
    let sessions: HTTP2Sessions
    let requests: StreamRequests
    /// Those that are open, and some that have ended, to be used again.
    @exclusivity(unchecked) private var streams: [HTTP2Stream] = []
    /// The places of those that have ended.
    @exclusivity(unchecked) private var endedStreams: [Int] = []
    /// The one that was begun or looked for last; most reports of one come together. None is released before all
    /// are, so that it is not counted.
    @exclusivity(unchecked) var lastUsed: Unmanaged<HTTP2Stream>?
    @exclusivity(unchecked) var flood: FloodGuard
    @exclusivity(unchecked) var scanner = FrameScanner()
    /// The monotonic clock as it was when the turn began.
    var now: UInt64
    /// Why the session ends at once; GOAWAY is then all that is sent.
    private(set) var fault: SessionFault?
    private var farewell: [UInt8] = []
    /// Whether the peer has said that it speaks HTTP/2.
    var hasSettings = false
    /// Whether the fields that come are those after a body.
    @exclusivity(unchecked) var isTrailer = false
    var trailerBytes = 0
    var hasMalformedTrailer = false
    /// The highest stream that has begun, and the highest that we have reset; 0 if none.
    var lastStream: Int32 = 0
    var lastStreamReset: Int32 = 0
    /// When the name of the request's id is added to the peer's table again.
    var remembersRequestIDAgainAt: UInt64 = 0
    /// Bytes of the bodies of answers that are on their way.
    @exclusivity(unchecked) var answerBytes = 0
    /// Bytes that came, less those of the preface and of frames that the library reported: it does not report other
    /// kinds.
    private var untoldBytes = -24
    /// Whether fields come, for which there are limits of their own.
    @exclusivity(unchecked) var isInHead = false
    private var isDraining = false
    private var hasPeerEnded = false
    /// Whether the peer knows the last stream that is answered.
    private(set) var isClosing = false

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
        untoldBytes += bytes.count
        var first = 0
        while first < bytes.count {
            let next = min(bytes.count, first + Self.bytesAtOnce)
            let part = UnsafeRawBufferPointer(rebasing: bytes[first..<next])
            takeRefusingBodies(part)
            while fault == nil, next < bytes.count, requests.hasRoom, produce() {}
            guard fault == nil else { return }
            first = next
        }
        countUntold()
    }

    /// The library reported a frame of so many bytes, including its header.
    @inline(__always)
    func told(_ count: Int) { untoldBytes -= count }

    /// As many as a header has may be one that is not whole.
    private func countUntold() {
        if isInHead { untoldBytes = min(untoldBytes, 0) }
        guard untoldBytes > FrameHeader.bytes else { return }
        if !flood.countIdleBytes(untoldBytes, at: now) { end(by: .idleFrames) }
        untoldBytes = 0
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
        farewell.withUnsafeBytes { requests.put($0) }
        farewell = []
        return false
    }

    var phase: StreamPhase? {
        guard fault == nil, nghttp2_session_want_read(pointer) != 0 || nghttp2_session_want_write(pointer) != 0 else {
            return nil
        }
        // What waits for its peer to widen a window would wait for ever.
        if hasPeerEnded { return awaitsAnswers || nghttp2_session_want_write(pointer) != 0 ? .closing : nil }
        if hasStreams { return .busy }
        return hasSettings ? .idle : .opening
    }

    // MARK: Streams

    private var hasStreams: Bool { streams.count > endedStreams.count }

    var memory: Int {
        let open = streams.count - endedStreams.count
        return libraryMemory.bytes + HTTP2Footprint.session + (isTrimmed ? 0 : HTTP2Footprint.pages)
            + streams.count * HTTP2Footprint.stream + open * HTTP2Footprint.answer + answerBytes
    }

    var stalledSince: UInt64? {
        streams.lazy.filter { $0.wait != .none && $0.wait != .answer }.map(\.since).min()
    }

    var awaitsAnswers: Bool { streams.contains { $0.wait == .answer } }

    func trim() {
        guard !isTrimmed, !hasStreams, fault == nil, nghttp2_session_want_write(pointer) == 0 else { return }
        (streams, endedStreams, lastUsed) = ([], [], nil)
        libraryMemory.trim()
        isTrimmed = true
    }

    /// Adds a stream that begins.
    func add(_ identifier: Int32) {
        let place = endedStreams.popLast() ?? streams.count
        if place == streams.count { streams.append(HTTP2Stream(place: place)) }
        let stream = streams[place]
        stream.begin(identifier, at: now)
        lastUsed = Unmanaged.passUnretained(stream)
        nghttp2_session_set_stream_user_data(pointer, identifier, Unmanaged.passUnretained(stream).toOpaque())
    }

    /// Calls with a stream if it is open. It is not released meanwhile, so it is not counted.
    @inline(__always)
    func withStream(_ identifier: Int32, _ body: (HTTP2Stream) -> Void) {
        guard lastUsed?._withUnsafeGuaranteedRef({ $0.identifier }) == identifier || find(identifier) else { return }
        lastUsed?._withUnsafeGuaranteedRef { body($0) }
    }

    /// Asks the library for a stream that is not the one that was used last; false if it is not open.
    private func find(_ identifier: Int32) -> Bool {
        guard let stream = nghttp2_session_get_stream_user_data(pointer, identifier) else { return false }
        lastUsed = Unmanaged.fromOpaque(stream)
        return true
    }

    func streamEnded(_ identifier: Int32) {
        withStream(identifier) { stream in
            if stream.wait == .answer { requests.forget(UInt32(bitPattern: identifier)) }
            answerBytes -= stream.bodyCount
            stream.end()
            endedStreams.append(stream.place)
        }
    }

    func reset(_ stream: HTTP2Stream, _ code: ErrorCode) {
        nghttp2_submit_rst_stream(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.identifier, code.rawValue)
    }

    // MARK: Ends

    /// Ends at once, and says why.
    func end(by fault: SessionFault) {
        guard self.fault == nil else { return }
        self.fault = fault
        farewell = fault.goAway(lastStream: UInt32(bitPattern: nghttp2_session_get_last_proc_stream_id(pointer)))
        if let reason = fault.reason { requests.tellOfEnd("HTTP/2: \(reason)") }
    }

    /// First says that the end is near, so that no request that is on its way is lost (RFC 9113 section 6.8).
    func drain() {
        guard !isDraining, fault == nil else { return }
        isDraining = true
        nghttp2_submit_shutdown_notice(pointer)
    }

    /// Asks for an echo after the notice: once it has come, so has all that was sent before the notice was read.
    func saidGoodbye() {
        guard isDraining, !isClosing else { return }
        nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// The echo has come, or is not waited for any longer.
    func drained() {
        if isDraining { close() }
    }

    /// Takes no stream beyond those that have come.
    func close() {
        guard !isClosing, fault == nil else { return }
        isClosing = true
        nghttp2_submit_goaway(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(pointer),
            ErrorCode.none.rawValue, nil, 0)
        for stream in streams where stream.wait == .body { reset(stream, .none) }
    }

    func peerEnded() {
        hasPeerEnded = true
        close()
    }

    func timeOut() {
        guard fault == nil else { return }
        now = requests.now
        drained()
        guard hasStreams else { return terminate() }
        endStalled(after: .max)
    }

    func endStalled(after patience: UInt64) {
        guard fault == nil else { return }
        now = requests.now
        for stream in streams {
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
