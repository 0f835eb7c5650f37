/// The kinds of frames that are distinguished here (RFC 9113 section 6).
enum FrameType {
    static let data: UInt8 = 0x00
    static let headers: UInt8 = 0x01
    static let priority: UInt8 = 0x02
    static let resetStream: UInt8 = 0x03
    static let settings: UInt8 = 0x04
    static let ping: UInt8 = 0x06
    static let goAway: UInt8 = 0x07
}

/// What is in front of each frame (RFC 9113 section 4.1).
enum FrameHeader {
    static let bytes = 9
}

/// Flags of frames (RFC 9113 section 6).
enum FrameFlag {
    static let acknowledges: UInt8 = 0x01
    static let endsStream: UInt8 = 0x01
}

/// Why a stream or a connection ends (RFC 9113 section 7).
enum ErrorCode: UInt32 {
    case none = 0x00
    case protocolError = 0x01
    case internalError = 0x02
    case streamClosed = 0x05
    case frameSizeError = 0x06
    case refusedStream = 0x07
    case cancel = 0x08
    case enhanceYourCalm = 0x0B
}
