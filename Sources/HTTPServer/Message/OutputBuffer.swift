import Glibc

/// Where a loop puts answers together before they are sent; one for all its connections, as it is empty between them.
final class OutputBuffer {
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int = 65_536) {
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { storage.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Whether it holds exactly these.
    func holds(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = storage.baseAddress, let other = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, other, count) == 0
    }

    func removeAll() { count = 0 }

    /// Bytes that it can hold without growing.
    var capacity: Int { storage.count }

    /// Drops everything, and holds no memory until something is added.
    func free() {
        storage.deallocate()
        (storage, count) = (.allocate(byteCount: 0, alignment: 16), 0)
    }

    @inline(__always)
    func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// A range of a content's bytes.
    @inline(__always)
    func append(_ content: HTTPContent, _ range: Range<Int>) {
        reserve(range.count)
        guard let target = storage.baseAddress else { return }
        content.copy(range, to: target + count)
        count += range.count
    }

    func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// A number in decimal digits.
    func append(_ number: Int) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { digits in
            var rest = number.magnitude
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// A number in sixteen hexadecimal digits.
    func append(hexadecimal number: UInt64) {
        reserve(16)
        storage.storeBytes(of: number.hexadecimal, toByteOffset: count, as: (UInt64, UInt64).self)
        count += 16
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        guard let source = bytes.baseAddress, let target = storage.baseAddress else { return }
        memcpy(target + count, source, bytes.count)
        count += bytes.count
    }

    /// A field's line: its name, a colon, its value, CR LF.
    func append(field name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        reserve(name.count + value.count + 3)
        guard var next = storage.baseAddress else { return }
        next += count
        if let source = name.baseAddress { memcpy(next, source, name.count) }
        next += name.count
        next.storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
        next += 1
        if let source = value.baseAddress { memcpy(next, source, value.count) }
        next += value.count
        next.storeBytes(of: UInt16(0x0D0A).bigEndian, as: UInt16.self)
        count += name.count + value.count + 3
    }

    /// Bytes, and a space after them.
    func append(word bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count + 1)
        guard let next = storage.baseAddress.map({ $0 + count }) else { return }
        if let source = bytes.baseAddress { memcpy(next, source, bytes.count) }
        next.storeBytes(of: UInt8(ascii: " "), toByteOffset: bytes.count, as: UInt8.self)
        count += bytes.count + 1
    }

    @inline(__always)
    private func reserve(_ more: Int) {
        if count + more > storage.count { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(storage.count * 2, count + more, 64), alignment: 16)
        grown.copyMemory(from: bytes)
        storage.deallocate()
        storage = grown
    }

    /// Sends earlier bytes and these, and drops these; returns the part that was not taken.
    func send<Sink: ByteSink & ~Copyable>(
        after earlier: [UInt8], to sink: borrowing Sink
    ) throws(SystemError) -> [UInt8] {
        defer { removeAll() }
        guard !earlier.isEmpty else { return try OutputBuffer.send(bytes, to: sink) }
        let all = count == 0 ? earlier : earlier + bytes
        return try all.withUnsafeBufferPointer { (all) throws(SystemError) in
            try OutputBuffer.send(UnsafeRawBufferPointer(all), to: sink)
        }
    }

    /// What would not be taken of these.
    private static func send<Sink: ByteSink & ~Copyable>(
        _ bytes: UnsafeRawBufferPointer, to sink: borrowing Sink
    ) throws(SystemError) -> [UInt8] {
        var sent = 0
        // The kernel may send at once what it takes, and then take more.
        while sent < bytes.count, let count = try sink.send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) {
            sent += count
        }
        return sent == bytes.count ? [] : Array(bytes[sent...])
    }
}

extension UInt64 {
    /// Sixteen lower-case hexadecimal digits as they lie in memory, the highest first.
    @inline(__always)
    var hexadecimal: (UInt64, UInt64) { (digits(of: self >> 32), digits(of: self & 0xFFFF_FFFF)) }

    /// The eight digits of 32 bits, all of them at once: each becomes a byte, and the byte a character.
    @inline(__always)
    private func digits(of number: UInt64) -> UInt64 {
        var digits = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let characters = digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27
        return characters.bigEndian
    }
}

/// What a response's bytes depend on besides the response.
struct ResponseContext {
    /// Only the body's length is sent, without the body (RFC 9110 section 9.3.2).
    var isHead: Bool
    var isVersion10: Bool
    var isPersistent: Bool
    var requestID: UInt64
}

extension OutputBuffer {
    /// A whole response (RFC 9112 section 4): a status line, headers, an empty line, a body.
    func append(
        _ response: HTTPResponse, _ context: ResponseContext, at date: HTTPDate, givenID: String? = nil
    ) {
        if response.status == .ok {
            append(date.okHead)
        } else {
            appendStatus(response.status)
            append(date.fields)
        }
        if let givenID { append(Array(givenID.utf8)) } else { append(hexadecimal: context.requestID) }
        appendFields(response)
        appendConnection(context)
        if !context.isHead, response.status.hasContent {
            append(response.content, 0..<response.content.count)
        }
    }

    private func appendStatus(_ status: HTTPStatus) {
        append("HTTP/1.1 ")
        append(status.rawValue)
        append(" ")
        append(status.phrase)
        append("\r\n")
    }

    /// The response's own, and its length if it has content. The end of the last one is not given.
    private func appendFields(_ response: HTTPResponse) {
        guard !response.status.hasContent else {
            append(response.fields.untilLength)
            append(response.content.count)
            return
        }
        append(Array((Array("\r\n".utf8) + response.fields.bytes).dropLast(2)))
    }

    /// 1.1 persists by default, 1.0 only if the answer says so (RFC 9112 section 9.3).
    private func appendConnection(_ context: ResponseContext) {
        if !context.isPersistent {
            append("\r\nConnection: close\r\n\r\n")
        } else if context.isVersion10 {
            append("\r\nConnection: keep-alive\r\n\r\n")
        } else {
            append("\r\n\r\n")
        }
    }
}

/// The beginning of answers: what is the same in all of a second, rendered once in it.
///
/// It belongs to one loop; the writer of an answer copies nothing of it.
final class HTTPDate {
    /// Bytes of a date.
    static let length = 29
    private static let statusLine = Array("HTTP/1.1 200 OK\r\n".utf8)

    /// `Date` (RFC 9110 section 6.6.1) with its value, and `X-Request-ID` up to its value.
    private(set) var fields: [UInt8] = []
    /// The same after the status line of a 200.
    private(set) var okHead: [UInt8] = []
    /// The date alone.
    private(set) var value: [UInt8] = []
    private var rendered: Int64?

    func update(to epochSeconds: Int64) {
        guard epochSeconds != rendered else { return }
        rendered = epochSeconds
        // A clock before the epoch is wrong in any case.
        value = HTTPDate.render(max(0, epochSeconds))
        fields = Array("Date: ".utf8) + value + Array("\r\nX-Request-ID: ".utf8)
        okHead = HTTPDate.statusLine + fields
    }

    /// A date in IMF-fixdate form (RFC 9110 section 5.6.7), whose words no locale changes.
    static func render(_ epochSeconds: Int64) -> [UInt8] {
        var (seconds, parts) = (time_t(epochSeconds), tm())
        gmtime_r(&seconds, &parts)
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var text = "\(weekday), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
        text += "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
        return Array(text.utf8)
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
