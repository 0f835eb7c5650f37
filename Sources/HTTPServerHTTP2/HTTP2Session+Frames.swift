import CNGHTTP2
import HTTPServer

/// Frames that come and go, as the library reports them.
extension HTTP2Session {
    /// A frame comes; false if it is one too many.
    func frameBegins(_ header: nghttp2_frame_hd) -> Bool {
        flood.reported(FrameHeader.bytes + header.length)
        if header.type == FrameType.headers { refuseIfClosed(header.stream_id) }
        switch header.type {
        case FrameType.resetStream: return countReset()
        // Where priorities are not signalled, the library does not look at what signals them (RFC 9113 section 6.3).
        case FrameType.priority where header.stream_id == 0: end(by: .priorityOfNone)
        case FrameType.priority where header.length != 5: end(by: .priorityLength)
        default:
            // HEADERS that begin a request give it back: of those that the library ignores, it reports nothing else.
            if !flood.countIdleFrame(at: now) { end(by: .idleFrames) }
        }
        return fault == nil
    }

    /// No request may come on a stream that was ended (RFC 9113 section 5.1); the library, which forgets such streams,
    /// lets it pass.
    private func refuseIfClosed(_ identifier: Int32) {
        if isClosed(identifier) { end(by: .streamClosed) }
    }

    /// Whether a stream of the peer's was ended. Where we have reset it, or a later one, the peer may not know of it yet.
    private func isClosed(_ identifier: Int32) -> Bool {
        guard identifier <= lastStream, identifier > lastStreamReset, identifier & 1 == 1 else { return false }
        return nghttp2_session_get_stream_user_data(pointer, identifier) == nil
    }

    /// No body may come on such a stream either (section 6.1); the library ignores it. What comes before it may be what
    /// ends the stream, and is taken first, but not the last byte of the frame's header: an empty frame may itself end the
    /// stream. It is reset once, and that is counted here, since the peer may not read what goes out.
    func takeRefusingBodies(_ bytes: UnsafeRawBufferPointer) {
        var (first, position) = (0, 0)
        while let frame = scanner.next(bytes, from: &position) {
            guard frame.type == FrameType.data else { continue }
            take(UnsafeRawBufferPointer(rebasing: bytes[first..<position - 1]))
            first = position - 1
            guard fault == nil else { return }
            guard isClosed(frame.stream), countReset() else { continue }
            lastStreamReset = frame.stream
            nghttp2_submit_rst_stream(
                pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), frame.stream, ErrorCode.streamClosed.rawValue)
        }
        take(UnsafeRawBufferPointer(rebasing: bytes[first...]))
    }

    private func countReset() -> Bool {
        guard !flood.countReset(at: now) else { return true }
        end(by: .resets)
        return false
    }

    /// Fields of a request, or after its body, come.
    func headBegins(_ frame: nghttp2_frame) {
        head = IncomingHead(isOpen: true, isTrailer: frame.headers.cat != NGHTTP2_HCAT_REQUEST)
        guard !head.isTrailer else { return }
        lastStream = frame.hd.stream_id
        flood.requestBegan()
        requests.begin()
        guard requests.admitsStream else { return refuse(frame.hd.stream_id) }
        add(frame.hd.stream_id)
    }

    /// Refuses a stream, whose request can be sent again (RFC 9113 section 8.7); its fields are read for the table that
    /// both sides have.
    private func refuse(_ identifier: Int32) {
        lastStreamReset = max(lastStreamReset, identifier)
        nghttp2_submit_rst_stream(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), identifier, ErrorCode.refusedStream.rawValue)
    }

    /// A field comes; false if there are far too many. Fields after a body are dropped as the body is.
    @inline(__always)
    func received(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        if head.isTrailer {
            head.trailerBytes += name.count + value.count
            if !StreamRequests.mayTrail(name, value) { head.hasMalformedTrailer = true }
            guard head.trailerBytes > sessions.requestLimits.maxHead else { return true }
        } else if requests.add(name, value) {
            return true
        }
        end(by: .fields)
        return false
    }

    /// A whole frame has come.
    func received(_ frame: nghttp2_frame) {
        switch frame.hd.type {
        case FrameType.headers, FrameType.data: receivedPart(frame)
        case FrameType.settings: hasSettings = true
        case FrameType.ping where frame.hd.flags & FrameFlag.acknowledges != 0: drained()
        default: return
        }
    }

    private func receivedPart(_ frame: nghttp2_frame) {
        head.isOpen = false
        withStream(frame.hd.stream_id) { stream in
            if frame.hd.flags & FrameFlag.endsStream != 0 { stream.isEnded = true }
            guard frame.hd.type == FrameType.headers, frame.headers.cat == NGHTTP2_HCAT_REQUEST else {
                return receivedRest(stream, isTrailer: frame.hd.type == FrameType.headers)
            }
            if !stream.isEnded { stream.contentLength = requests.contentLength }
            stream.enter(.answer, at: now)
            switch requests.answer(UInt32(bitPattern: frame.hd.stream_id), hasBody: !stream.isEnded) {
            case .answered(let answer): submit(answer, to: stream)
            case .pending: return
            case .malformed: reset(stream, .protocolError)
            }
        }
    }

    /// A part of a body has come, or the fields after it, with which a stream has to end (RFC 9113 section 8.1); the
    /// body is as long as was announced (section 8.1.1).
    private func receivedRest(_ stream: HTTP2Stream, isTrailer: Bool) {
        let isCut = stream.isEnded && stream.contentLength.map { $0 != stream.bodyBytes } ?? false
        guard isCut || isTrailer && (head.hasMalformedTrailer || !stream.isEnded) else { return }
        reset(stream, .protocolError)
    }

    /// A part of a body comes, which is dropped; beyond the stream's window no more will. The client need not send the
    /// rest once it is answered (RFC 9113 section 8.1), but the reset comes late (`timeOut`): with a reset at once curl
    /// 7 drops the answer.
    func receivedBody(_ count: Int, of identifier: Int32) {
        nghttp2_session_consume_connection(pointer, count)
        withStream(identifier) { stream in
            stream.bodyBytes += count
            if let announced = stream.contentLength, stream.bodyBytes > announced {
                return reset(stream, .protocolError)
            }
        }
    }

    // MARK: Answers

    func answer(_ stream: UInt32, with answer: consuming StreamAnswer) {
        guard fault == nil else { return }
        now = requests.now
        let pointer = nghttp2_session_get_stream_user_data(pointer, Int32(bitPattern: stream))
        guard let pointer else { return }
        submit(answer, to: Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue())
    }

    private func submit(_ answer: consuming StreamAnswer, to stream: HTTP2Stream) {
        let block = sessions.block(of: answer.response)
        block.setDate(of: requests)
        block.setLength(answer.response.content.count)
        block.setRequestID(of: answer, isRemembered: remembersRequestID())
        if answer.isHead || answer.response.content.count == 0 || !block.status.hasContent {
            nghttp2_submit_response(pointer, stream.identifier, block.pairs, block.count, nil)
        } else {
            var body = nghttp2_data_provider()
            body.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
            body.read_callback = HTTP2Stream.reader
            nghttp2_submit_response(pointer, stream.identifier, block.pairs, block.count, &body)
        }
        if answer.isLast { close() }
        stream.give(answer.response.content, consume block, at: now)
        streams.answerBytes += stream.bodyCount
    }

    /// A part of a body goes out after its frame's header; false if the output is full for now.
    func putBody(_ header: UnsafePointer<UInt8>?, _ count: Int, of stream: UnsafeMutableRawPointer?) -> Bool {
        guard requests.hasRoom, let stream else { return false }
        requests.put(UnsafeRawBufferPointer(start: header, count: FrameHeader.bytes))
        let sending = Unmanaged<HTTP2Stream>.fromOpaque(stream)
        sending._withUnsafeGuaranteedRef { stream in stream.take(count) { requests.put($0, $1) } }
        streams.lastUsed = sending
        return true
    }

    /// Whether the peer adds the next request's id to its table: not for its value, which never comes again, but for
    /// its name, which other fields drive out of the peer's table as time passes.
    private func remembersRequestID() -> Bool {
        guard now >= remembersRequestIDAgainAt else { return false }
        remembersRequestIDAgainAt = now + Self.memoryOfRequestID
        return true
    }

    /// A frame is on its way; false if it is a reset too many.
    func sent(_ frame: nghttp2_frame) -> Bool {
        switch frame.hd.type {
        case FrameType.headers where frame.hd.flags & FrameFlag.endsStream == 0: return true
        case FrameType.headers, FrameType.data:
            withStream(frame.hd.stream_id) { stream in
                guard frame.hd.flags & FrameFlag.endsStream != 0, !stream.isEnded else { return }
                stream.enter(.body, at: now)
                if isClosing { reset(stream, .none) }
            }
            return true
        case FrameType.resetStream:
            lastStreamReset = max(lastStreamReset, frame.hd.stream_id)
            let ours = [ErrorCode.none, .streamClosed, .refusedStream]
            return ours.contains { $0.rawValue == frame.rst_stream.error_code } || countReset()
        case FrameType.goAway:
            goAwaySent()
            return true
        default: return true
        }
    }
}
