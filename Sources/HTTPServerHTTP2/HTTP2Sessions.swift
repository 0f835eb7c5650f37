import CNGHTTP2
import HTTPServer

/// What the sessions of one loop share, which uses it alone: the library's tables, and fields to use again.
final class HTTP2Sessions: StreamSessions {
    private static let maxBlocks = 32
    /// A window that clients know, so that one that sends a body before it reads the answer does not wait for more of
    /// it.
    private static let usualWindow = 65_535

    let limits: HTTP2Limits
    let timeouts: ConnectionTimeouts
    let requestLimits: HTTPLimits
    /// Streams of a session at a time, as many as memory allows for.
    private let maxConcurrentStreams: Int
    private let callbacks = HTTP2Callbacks()
    private let memory = LibraryMemory()
    private let options: HTTP2Options
    private var blocks: [FieldBlock] = []
    private var nextBlock = 0
    /// Most answers in a row are of one kind.
    private var lastBlock: FieldBlock?

    init(_ limits: HTTP2Limits, _ settings: ServerSettings) {
        self.limits = limits
        (timeouts, requestLimits) = (settings.timeouts, settings.limits)
        maxConcurrentStreams = HTTP2Footprint.streams(within: settings.memory, atMost: limits.maxConcurrentStreams)
        options = HTTP2Options(limits)
    }

    func session(answering requests: StreamRequests) -> (any StreamSession)? {
        guard let callbacks = callbacks.pointer, let options = options.pointer else { return nil }
        var session: OpaquePointer?
        let memory = SessionMemory(from: memory)
        var functions = memory.functions
        guard nghttp2_session_server_new3(&session, callbacks, nil, options, &functions) == 0, let session else {
            return nil
        }
        return HTTP2Session(takingOwnershipOf: session, in: memory, self, requests)
    }

    /// The settings that a session begins with (RFC 9113 section 6.5.2). A stream's window holds as much of a body as
    /// is read, and one byte more to tell that there is more. Priorities are not signalled (RFC 9113 section 5.3.2).
    var settings: [nghttp2_settings_entry] {
        [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                value: UInt32(clamping: maxConcurrentStreams)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: UInt32(clamping: max(Self.usualWindow, requestLimits.maxDiscardedBody + 1))),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(clamping: requestLimits.maxHead)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue), value: 1),
        ]
    }

    /// The fields of a response; answers share them, so that few are made.
    func block(of response: HTTPResponse) -> FieldBlock {
        if let lastBlock, lastBlock.belongs(to: response) { return lastBlock }
        let block = blocks.first { $0.belongs(to: response) } ?? newBlock(response)
        lastBlock = block
        return block
    }

    private func newBlock(_ response: HTTPResponse) -> FieldBlock {
        let block = FieldBlock(response)
        if blocks.count < Self.maxBlocks {
            blocks.append(block)
        } else {
            blocks[nextBlock] = block
            nextBlock = (nextBlock + 1) % Self.maxBlocks
        }
        return block
    }
}

/// The one owner of the library's options.
private final class HTTP2Options {
    /// Frames beyond the first over which the fields of a request may spread: eight. Of one whose header comes in
    /// pieces the library counts each piece.
    private static let maxContinuations = 8 * FrameHeader.bytes

    let pointer: OpaquePointer?

    init(_ limits: HTTP2Limits) {
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        pointer = options
        guard let options else { return }
        // Bodies are dropped, and a stream's window is what may come of one: only the connection's opens again.
        nghttp2_option_set_no_auto_window_update(options, 1)
        nghttp2_option_set_no_closed_streams(options, 1)
        // What makes a request is looked at where requests are put together, and need not be twice.
        nghttp2_option_set_no_http_messaging(options, 1)
        nghttp2_option_set_max_continuations(options, Self.maxContinuations)
        // The library ends with INTERNAL_ERROR, and counts only what the peer resets: it comes after what is counted
        // here.
        let resets = UInt64(max(1, limits.maxResetsPerSecond)) * 8
        nghttp2_option_set_stream_reset_rate_limit(options, resets, resets)
    }

    deinit { nghttp2_option_del(pointer) }
}
