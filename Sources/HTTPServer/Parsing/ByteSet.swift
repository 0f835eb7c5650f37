import Glibc

/// A set of byte values, as the grammars of RFC 9110, 9112 and 3986 name them.
///
/// `@unchecked Sendable`: its table is written before the set exists and never again.
struct ByteSet: @unchecked Sendable {
    /// Whether it holds each of the 256 bytes: one look at a table is a third of the instructions of one at a bit. The
    /// sets below are all there are, and live as long as the program.
    private let members: UnsafePointer<Bool>

    private init(_ bytes: some Sequence<UInt8>) {
        let members = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
        members.initialize(repeating: false, count: 256)
        for byte in bytes { members[Int(byte)] = true }
        self.members = UnsafePointer(members)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { members[Int(byte)] }

    private static let lowerCase = "abcdefghijklmnopqrstuvwxyz0123456789"
    private static let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZ\(lowerCase)"

    /// tchar (RFC 9110 section 5.6.2).
    static let token = ByteSet("\(alphanumeric)!#$%&'*+-.^_`|~".utf8)
    /// The same without capital letters (RFC 9113 section 8.2.1).
    static let streamFieldName = ByteSet("\(lowerCase)!#$%&'*+-.^_`|~".utf8)
    /// field-vchar, obs-text, SP and HTAB (RFC 9110 section 5.5): every octet but the other controls and DEL.
    static let fieldValue = ByteSet([9] + Array(32...126) + Array(128...255))
    /// pchar and "/" without "%" (RFC 3986 section 3.3).
    static let path = ByteSet("\(alphanumeric)-._~!$&'()*+,;=:@/".utf8)
    /// What a query may hold besides "%" (RFC 3986 section 3.4).
    static let query = ByteSet("\(alphanumeric)-._~!$&'()*+,;=:@/?".utf8)
    /// reg-name, IP literal and port without "%" (RFC 3986 section 3.2.2): the authority has no user information
    /// (RFC 9110 section 4.2.4). Nor has it a comma here, which is what two joined Host fields look like.
    static let host = ByteSet("\(alphanumeric)-._~!$&'()*+;=:[]".utf8)
    /// reg-name and IPv4 address without "%" and comma (RFC 3986 section 3.2.2).
    static let registeredName = ByteSet("\(alphanumeric)-._~!$&'()*+;=".utf8)
    /// A token, and what addresses have besides (RFC 7239 section 6).
    static let forwardedValue = ByteSet("\(alphanumeric)!#$%&'*+-.^_`|~:[]".utf8)
    /// Obfuscated names and ports (RFC 7239 section 6.3).
    static let obfuscated = ByteSet("\(alphanumeric)._-".utf8)
    /// What has no special meaning in a URL, a log or a shell (RFC 3986 section 2.3).
    static let unreserved = ByteSet("\(alphanumeric)-._~".utf8)
    static let digit = ByteSet("0123456789".utf8)
    static let hexadecimal = ByteSet("0123456789abcdefABCDEF".utf8)
}

extension Span<UInt8> {
    /// The first position from `start` on whose byte is not in the set; `count` if there is none.
    @inline(__always)
    func end(of set: ByteSet, from start: Int) -> Int {
        withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, set.contains(bytes[index]) { index &+= 1 }
            return index
        }
    }

    /// As `end(of: .fieldValue, from:)`, sixteen bytes at a time: values may be long, as tokens are.
    func endOfFieldValue(from start: Int) -> Int {
        let index = withUnsafeBytes { bytes in
            var index = start
            while index + 16 <= bytes.count {
                let first = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let second = bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
                // A tab is left to the set.
                guard (first.controls | second.controls) & 0x8080_8080_8080_8080 == 0 else { break }
                index += 16
            }
            guard index + 8 <= bytes.count else { return index }
            let last = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            return last.controls & 0x8080_8080_8080_8080 == 0 ? index + 8 : index
        }
        return end(of: .fieldValue, from: index)
    }

    /// Whether these bytes are at a position. Inlined, since few bytes of a literal are compared without a call.
    @inline(__always)
    func matches(_ literal: StaticString, at start: Int) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard start + length <= count else { return false }
        return withUnsafeBytes { $0.baseAddress.map { memcmp($0 + start, literal.utf8Start, length) == 0 } ?? true }
    }

    /// Whether a range holds these bytes.
    func equals(_ text: String, _ range: Range<Int>) -> Bool {
        guard text.utf8.count == range.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard self[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Whether a range holds these bytes, in either case; the literal is lower-case.
    func equalsIgnoringCase(_ literal: StaticString, _ range: Range<Int>) -> Bool {
        equalsIgnoringCase(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount), range)
    }

    /// Whether a range holds these lower-case bytes, in either case.
    @inline(__always)
    func equalsIgnoringCase(_ lowerCase: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == lowerCase.count else { return false }
        for offset in 0..<range.count {
            if self[range.lowerBound + offset].lowerCase != lowerCase[offset] { return false }
        }
        return true
    }
}

extension UInt64 {
    /// The highest bit of each of the eight bytes tells whether it, or one below it, is under 0x20 or is 0x7F; the
    /// other bits tell nothing.
    @inline(__always)
    fileprivate var controls: UInt64 {
        let below = self &- 0x2020_2020_2020_2020
        let delete = (self ^ 0x7F7F_7F7F_7F7F_7F7F) &- 0x0101_0101_0101_0101
        return (below | delete) & ~self
    }
}

extension UInt8 {
    /// The letter of ASCII in lower case; anything else as it is.
    @inline(__always)
    package var lowerCase: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
