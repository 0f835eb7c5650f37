internal import CNGHTTP2

/// One stream: what its answer still needs, and since when it has made its peer or us wait. Streams are used again, since
/// they come and go as requests do.
final class HTTP2Stream {
    enum Wait: Equatable {
        /// Its fields are not all here.
        case head
        /// We owe the answer.
        case answer
        /// The answer is on its way.
        case window
        /// The answer is sent, but not all of the request's body has come.
        case body
    }

    fileprivate(set) var identifier: Int32 = 0
    /// Where it is among the session's.
    var index = 0
    private(set) var wait = Wait.head
    /// When that wait began, or was last shortened.
    var since: UInt64 = 0
    /// The request has come to its end.
    var isEnded = false
    /// The rest of the request's body is not worth receiving.
    var refusesBody = false
    var bodyBytes = 0
    private var body: [UInt8] = []
    private var sent = 0
    private var block: FieldBlock?

    /// Begins anew.
    func begin(_ identifier: Int32, index: Int, at now: UInt64) {
        (self.identifier, self.index) = (identifier, index)
        (isEnded, refusesBody, bodyBytes) = (false, false, 0)
        enter(.head, at: now)
    }

    func enter(_ wait: Wait, at now: UInt64) { (self.wait, since) = (wait, now) }

    /// Takes the answer, of which the library holds pointers until it is sent.
    func answer(_ body: [UInt8], _ block: FieldBlock, at now: UInt64) {
        (self.body, self.block, sent) = (body, block, 0)
        enter(.window, at: now)
    }

    /// Lets go of what an answer needed.
    func end() { (body, block) = ([], nil) }

    /// The body, as the library asks for it.
    static let reader: nghttp2_data_source_read_callback = { _, _, buffer, room, flags, source, _ in
        guard let buffer, let stream = source?.pointee.ptr else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        return Unmanaged<HTTP2Stream>.fromOpaque(stream)._withUnsafeGuaranteedRef { stream in
            let count = stream.read(into: buffer, room)
            if stream.sent == stream.body.count { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return count
        }
    }

    private func read(into buffer: UnsafeMutablePointer<UInt8>, _ room: Int) -> Int {
        let count = min(room, body.count - sent)
        body.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { buffer.update(from: start + sent, count: count) }
        }
        sent += count
        return count
    }
}
