/// Finds the headers of frames (RFC 9113 section 4.1) among bytes that come in any pieces: the library does not report
/// the frames that it ignores.
struct FrameScanner {
    /// Bytes of the preface or of a payload that are still to come.
    private var unread = 24
    /// How many bytes of a header have come.
    private var filled = 0
    private var length = 0
    private var type: UInt8 = 0
    private var stream: UInt32 = 0

    /// The next frame whose header ends among the bytes from a position on, and the position after that; nil if there
    /// is none.
    mutating func next(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> (type: UInt8, stream: Int32)? {
        while position < bytes.count {
            guard unread == 0 else {
                let step = min(unread, bytes.count - position)
                (unread, position) = (unread - step, position + step)
                continue
            }
            take(bytes[position])
            position += 1
            guard filled == FrameHeader.bytes else { continue }
            defer { (filled, unread, length) = (0, length, 0) }
            return (type, Int32(bitPattern: stream & 0x7FFF_FFFF))
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) {
        switch filled {
        case 0...2: length = length << 8 | Int(byte)
        case 3: type = byte
        case 4: break
        default: stream = stream << 8 | UInt32(byte)
        }
        filled += 1
    }
}
