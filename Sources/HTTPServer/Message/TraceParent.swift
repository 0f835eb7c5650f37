/// A `traceparent` (W3C Trace Context, section 3.2), valid once it exists.
package struct TraceParent: Sendable, Equatable {
    /// Thirty-two lower-case hexadecimal digits, not all of them 0.
    package let traceID: String
    /// The whole value in version 00: additions of later versions are not known here, and left out.
    package let text: String

    /// Nil unless it is exactly `VERSION-TRACE-PARENT-FLAGS`; later versions may go on after another `-`.
    init?(_ value: String) {
        let bytes = Array(value.utf8)
        guard bytes.count == 55 || (bytes.count > 55 && bytes[55] == UInt8(ascii: "-")) else { return nil }
        guard [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let (version, trace, parent, flags) = (bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55])
        guard [version, trace, parent, flags].allSatisfy({ $0.allSatisfy(Self.isDigit) }) else { return nil }
        guard trace.contains(where: Self.isNotZero), parent.contains(where: Self.isNotZero) else { return nil }
        guard !version.elementsEqual("ff".utf8), bytes.count == 55 || !version.elementsEqual("00".utf8) else {
            return nil
        }
        traceID = String(decoding: trace, as: UTF8.self)
        text = "00" + String(decoding: bytes[2..<55], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    private static func isNotZero(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "0") }
}
