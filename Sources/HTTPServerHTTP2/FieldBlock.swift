import CNGHTTP2
import HTTPServer

/// The fields of answers of one kind as the library takes them, made once: `:status`, what each answer has of its own,
/// and the application's in lower case. A stream keeps it until the library has sent the fields, since only the values
/// of an answer's own are copied.
final class FieldBlock {
    private static let dateIndex = 1
    private static let requestIDIndex = 2
    private static let ownFields = 3

    let status: HTTPStatus
    /// Kept so that no other block gets their place in memory.
    let fields: HTTPFields
    private let text: UnsafeMutablePointer<UInt8>
    /// The values of an answer's own, which the library copies.
    private let requestID = UnsafeMutableRawBufferPointer.allocate(byteCount: RequestTrace.maxID, alignment: 8)
    private let length = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 20)
    private let date = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 8)
    /// All fields, with the values that were set last.
    let pairs: UnsafeMutablePointer<nghttp2_nv>
    let count: Int
    /// What `length` and `date` hold; most answers in a row are as long as the one before, and of the same second.
    private var lengthTold = -1
    private var secondTold: Int64?

    init(_ response: HTTPResponse) {
        (status, fields) = (response.status, response.fields)
        let bytes = fields.bytes
        let lines = bytes.withUnsafeBufferPointer { Self.lines($0) }
        let names = ["\(status.rawValue)", ":status", "date", "x-request-id", "content-length"]
        let size = bytes.count + names.reduce(0) { $0 + $1.utf8.count }
        text = .allocate(capacity: size)
        count = Self.ownFields + lines.count + (status.hasContent ? 1 : 0)
        pairs = .allocate(capacity: count)
        var writer = TextWriter(next: text)
        let words = names.map { writer.put($0.utf8) }
        pairs[0] = Self.pair(words[1], words[0], NGHTTP2_NV_FLAG_NO_COPY_NAME, NGHTTP2_NV_FLAG_NO_COPY_VALUE)
        pairs[Self.dateIndex] = Self.pair(words[2], nil, NGHTTP2_NV_FLAG_NO_COPY_NAME)
        pairs[Self.requestIDIndex] = Self.pair(words[3], nil, NGHTTP2_NV_FLAG_NO_COPY_NAME)
        for (index, line) in lines.enumerated() {
            let name = writer.put(bytes[line.name].lazy.map(\.lowerCase))
            let value = writer.put(bytes[line.value])
            pairs[Self.ownFields + index] = Self.pair(
                name, value, NGHTTP2_NV_FLAG_NO_COPY_NAME, NGHTTP2_NV_FLAG_NO_COPY_VALUE)
        }
        if status.hasContent { pairs[count - 1] = Self.pair(words[4], nil, NGHTTP2_NV_FLAG_NO_COPY_NAME) }
    }

    deinit {
        text.deallocate()
        requestID.deallocate()
        length.deallocate()
        date.deallocate()
        pairs.deallocate()
    }

    /// Whether it is the one of a response: the same fields, not only equal ones.
    func belongs(to response: HTTPResponse) -> Bool {
        status == response.status && fields.isSameBlock(as: response.fields)
    }

    /// Sets `date`.
    func setDate(of requests: StreamRequests) {
        guard secondTold != requests.second else { return }
        secondTold = requests.second
        requests.withDate { value in
            date.copyBytes(from: value)
            pairs[Self.dateIndex].setValue(UnsafeRawBufferPointer(rebasing: date[..<value.count]))
        }
    }

    /// Sets `content-length`, in bytes.
    func setLength(_ bytes: Int) {
        guard bytes != lengthTold, status.hasContent else { return }
        lengthTold = bytes
        let end = length.update(fromContentsOf: Array("\(bytes)".utf8))
        pairs[count - 1].setValue(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(length)[..<end]))
    }

    /// Sets `x-request-id`. No two are the same: to remember one drives another field out of the peer's table.
    func setRequestID(of answer: borrowing StreamAnswer, isRemembered: Bool) {
        var count = 16
        if let given = answer.givenID {
            requestID.copyBytes(from: given.utf8)
            count = given.utf8.count
        } else {
            requestID.storeBytes(of: answer.requestIDDigits, as: (UInt64, UInt64).self)
        }
        pairs[Self.requestIDIndex].setValue(UnsafeRawBufferPointer(rebasing: requestID[..<count]))
        let flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | (isRemembered ? 0 : NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
        pairs[Self.requestIDIndex].flags = UInt8(truncatingIfNeeded: flags)
    }

    /// Where names and values lie in rendered fields.
    private static func lines(_ bytes: UnsafeBufferPointer<UInt8>) -> [(name: Range<Int>, value: Range<Int>)] {
        var lines: [(name: Range<Int>, value: Range<Int>)] = []
        var start = 0
        while let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")),
            let end = bytes[colon...].firstIndex(of: UInt8(ascii: "\r"))
        {
            lines.append((start..<colon, min(colon + 2, end)..<end))
            start = end + 2
        }
        return lines
    }

    private static func pair(
        _ name: UnsafeMutableBufferPointer<UInt8>, _ value: UnsafeMutableBufferPointer<UInt8>?,
        _ flags: nghttp2_nv_flag...
    ) -> nghttp2_nv {
        nghttp2_nv(
            name: name.baseAddress, value: value?.baseAddress, namelen: name.count, valuelen: value?.count ?? 0,
            flags: flags.reduce(0) { $0 | UInt8(truncatingIfNeeded: $1.rawValue) })
    }
}

extension nghttp2_nv {
    fileprivate mutating func setValue(_ bytes: UnsafeRawBufferPointer) {
        value = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        valuelen = bytes.count
    }
}

/// Puts words one after the other.
private struct TextWriter {
    var next: UnsafeMutablePointer<UInt8>

    mutating func put(_ word: some Collection<UInt8>) -> UnsafeMutableBufferPointer<UInt8> {
        let place = UnsafeMutableBufferPointer(start: next, count: word.count)
        _ = place.initialize(from: word)
        next += word.count
        return place
    }
}
