/// What a request says of how others follow it: its id, and the trace that it is a part of (W3C Trace Context, level 1).
public final class RequestTrace: Sendable {
    /// Bytes that a given id may have: those of a UUID, and a few. No token and no key is so short.
    static let maxID = 40
    private static let maxState = 512

    /// The id that the request came with, if it is sane.
    public let givenID: String?
    /// `traceparent`, if there is a valid one; nothing in it but hexadecimal digits.
    public let parent: TraceParent?
    /// `tracestate` as it came, its lines joined; empty without a valid parent.
    public let state: String

    init(_ request: borrowing HTTPRequest, takesID: Bool) {
        givenID = takesID ? request.field("x-request-id").flatMap { Self.isSane($0) ? $0 : nil } : nil
        parent = request.field("traceparent").flatMap { TraceParent($0) }
        guard parent != nil else {
            state = ""
            return
        }
        let lines = request.values(of: "tracestate").map { String(decoding: $0, as: UTF8.self) }
        let joined = lines.joined(separator: ",")
        state = joined.utf8.count <= Self.maxState ? joined : ""
    }

    /// Letters, digits and a few signs that mean nothing to a log, a shell or a URL.
    private static func isSane(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= maxID
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
                default: false
                }
            }
    }
}

/// A `traceparent` (W3C Trace Context, section 3.2), valid once it exists.
public struct TraceParent: Sendable, Equatable {
    /// Thirty-two lower-case hexadecimal digits, not all of them 0.
    public let traceID: String
    /// The whole value in version 00: what later versions add behind is not known here, and left out.
    public let text: String

    /// Nil unless it is exactly `VERSION-TRACE-PARENT-FLAGS`; versions behind 00 may go on behind another `-`.
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

/// By what a request is known to whoever follows it.
public struct RequestIdentity: Sendable {
    /// The number that it was given here.
    let number: UInt64
    /// Nil if the request says nothing of it.
    public let trace: RequestTrace?

    /// An identity out of its parts.
    public init(number: UInt64, trace: RequestTrace? = nil) { (self.number, self.trace) = (number, trace) }

    /// The answer's `X-Request-ID`: what the request came with, or sixteen hexadecimal digits.
    public var text: String { trace?.givenID ?? HTTPRequest.text(ofID: number) }
}
