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
