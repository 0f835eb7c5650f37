import CNGHTTP2

/// Why a connection is ended at once, with its pending answers.
struct SessionFault: Error, Equatable {
    let code: ErrorCode
    /// What the peer did, for GOAWAY and for the operator; nil where the code says it all.
    let reason: String?

    static let resets = SessionFault(.enhanceYourCalm, "more streams were reset in a second than is allowed")
    static let idleFrames = SessionFault(.enhanceYourCalm, "more frames came without a request than is allowed")
    static let fields = SessionFault(.enhanceYourCalm, "the headers of a request were far longer than is allowed")

    static let streamClosed = SessionFault(.streamClosed, nil)
    static let priorityOfNone = SessionFault(.protocolError, nil)
    static let priorityLength = SessionFault(.frameSizeError, nil)

    private init(_ code: ErrorCode, _ reason: String?) { (self.code, self.reason) = (code, reason) }

    /// From the error with which the library stopped.
    init(libraryError: Int) {
        switch Int32(truncatingIfNeeded: libraryError) {
        case NGHTTP2_ERR_FLOODED.rawValue:
            self.init(.enhanceYourCalm, "more frames that require an acknowledgement came than is allowed")
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue:
            self.init(.enhanceYourCalm, "the headers of a request came in more frames than is allowed")
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: self.init(.protocolError, nil)
        default: self.init(.internalError, nil)
        }
    }

    /// The frame that tells the peer (RFC 9113 section 6.8).
    func goAway(lastStream: UInt32) -> [UInt8] {
        let debug = Array((reason ?? "").utf8)
        let length = 8 + debug.count
        var frame = [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        frame += [FrameType.goAway, 0, 0, 0, 0, 0]
        for number in [lastStream, code.rawValue] {
            withUnsafeBytes(of: number.bigEndian) { frame += $0 }
        }
        return frame + debug
    }
}
