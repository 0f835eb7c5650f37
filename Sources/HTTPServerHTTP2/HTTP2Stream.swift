import CNGHTTP2
import HTTPServer

/// A session's streams.
struct HTTP2Streams {
    /// Those that are open, and some that have ended, to be used again.
    private(set) var all: [HTTP2Stream] = []
    /// The places of those that have ended.
    private var ended: [Int] = []
    /// The one that was begun or looked for last; most reports of one come together. None is released before all are,
    /// so that it is not counted.
    var lastUsed: Unmanaged<HTTP2Stream>?
    /// Bytes of the bodies of answers that are on their way.
    var answerBytes = 0

    var areOpen: Bool { all.count > ended.count }

    /// Bytes that they hold, about.
    var memory: Int {
        all.count * HTTP2Footprint.stream + (all.count - ended.count) * HTTP2Footprint.answer + answerBytes
    }

    mutating func begin(_ identifier: Int32, at now: UInt64) -> HTTP2Stream {
        let place = ended.popLast() ?? all.count
        if place == all.count { all.append(HTTP2Stream(place: place)) }
        all[place].begin(identifier, at: now)
        lastUsed = Unmanaged.passUnretained(all[place])
        return all[place]
    }

    mutating func end(_ stream: HTTP2Stream) {
        answerBytes -= stream.bodyCount
        stream.end()
        ended.append(stream.place)
    }
}

/// One stream: what its answer still needs, and since when it has made its peer or us wait. Streams are used again,
/// since they come and go as requests do.
final class HTTP2Stream {
    enum Wait: Equatable {
        /// It has ended, or not begun.
        case none
        /// Its fields are not all here.
        case head
        /// The answer is pending.
        case answer
        /// The answer is on its way.
        case window
        /// The answer is sent, but not all of the request's body has come.
        case body
    }

    /// Where it is among the session's.
    let place: Int
    /// 0 once it has ended.
    private(set) var identifier: Int32 = 0
    private(set) var wait = Wait.none
    /// When that wait began; bytes that come or go do not prolong it.
    private(set) var since: UInt64 = 0
    /// The request has come to its end.
    var isEnded = false
    var bodyBytes = 0
    /// As many bytes of a body were announced.
    var contentLength: Int?
    private var body: HTTPContent?
    private var block: FieldBlock?
    /// Bytes of the body, stored because to ask the body for them retains it.
    private(set) var bodyCount = 0
    /// How many of them are sent.
    private var sent = 0

    init(place: Int) { self.place = place }

    /// Begins again, as another stream.
    func begin(_ identifier: Int32, at now: UInt64) {
        self.identifier = identifier
        (isEnded, bodyBytes, contentLength) = (false, 0, nil)
        enter(.head, at: now)
    }

    func enter(_ wait: Wait, at now: UInt64) { (self.wait, since) = (wait, now) }

    /// Takes an answer's body, and its fields, of which the library holds pointers until they are sent.
    func give(_ body: HTTPContent, _ block: consuming FieldBlock, at now: UInt64) {
        (bodyCount, sent) = (body.count, 0)
        self.body = body
        self.block = consume block
        enter(.window, at: now)
    }

    /// Releases what an answer needed.
    func end() {
        (body, block, bodyCount) = (nil, nil, 0)
        (identifier, wait) = (0, .none)
    }

    /// How much of the body goes into the next frame, as the library asks for it; it asks for the bytes when it sends
    /// them.
    static let reader: nghttp2_data_source_read_callback = { _, _, _, room, flags, source, _ in
        guard let flags, let stream = source?.pointee.ptr else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        return Unmanaged<HTTP2Stream>.fromOpaque(stream)._withUnsafeGuaranteedRef { stream in
            let left = stream.bodyCount - stream.sent
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
            if left <= room { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return min(left, room)
        }
    }

    /// Takes the next bytes of the body, as many as the reader said.
    func take(_ count: Int, _ use: (HTTPContent, Range<Int>) -> Void) {
        let first = sent
        sent += count
        if let body { use(body, first..<sent) }
    }
}
