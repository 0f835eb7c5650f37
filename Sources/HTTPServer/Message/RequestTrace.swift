/// The id that a request came with, and the trace that it is a part of (W3C Trace Context, level 1).
package final class RequestTrace: Sendable {
    /// Bytes that a given id may have: those of a UUID, and a few. No token is so short.
    package static let maxID = 40
    private static let maxState = 512

    /// The id that the request came with, if it is sane.
    package let givenID: String?
    /// `traceparent`, if there is a valid one; nothing in it but hexadecimal digits.
    package let parent: TraceParent?
    /// `tracestate` as it came, its lines joined; empty without a valid parent.
    package let state: String

    init(_ request: borrowing HTTPRequest, takesID: (String) -> Bool) {
        givenID = request.field("x-request-id").flatMap { Self.isSane($0) && takesID($0) ? $0 : nil }
        parent = request.field("traceparent").flatMap { TraceParent($0) }
        guard parent != nil else {
            state = ""
            return
        }
        let lines = request.values(of: "tracestate").map { String(decoding: $0, as: UTF8.self) }
        let joined = lines.joined(separator: ",")
        state = joined.utf8.count <= Self.maxState ? joined : ""
    }

    private static func isSane(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= maxID && id.utf8.allSatisfy { ByteSet.unreserved.contains($0) }
    }
}

/// A request's id and its trace.
package struct RequestIdentity: Sendable {
    /// The number that it was given here.
    let number: UInt64
    /// Nil if the request came with neither.
    package let trace: RequestTrace?

    /// An identity out of its parts.
    package init(number: UInt64, trace: RequestTrace? = nil) { (self.number, self.trace) = (number, trace) }

    /// The answer's `X-Request-ID`: what the request came with, or this server's own id.
    package var text: String { givenID ?? ownText }
    /// This server's own id, which no client chooses: sixteen hexadecimal digits.
    package var ownText: String { HTTPRequest.text(ofID: number) }
    /// The id that the request came with; nil if it came with none, or none is taken.
    package var givenID: String? { trace?.givenID }
}

extension HTTPRequest {
    /// A request's id as the answer's `X-Request-ID` has it: sixteen hexadecimal digits.
    package static func text(ofID requestID: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            UnsafeMutableRawBufferPointer(text).storeBytes(of: requestID.hexadecimal, as: (UInt64, UInt64).self)
            return 16
        }
    }
}

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
