/// By what a request is known to whoever follows it.
package struct RequestIdentity: Sendable {
    /// The number that it was given here.
    let number: UInt64
    /// Nil if the request says nothing of it.
    package let trace: RequestTrace?

    /// An identity out of its parts.
    package init(number: UInt64, trace: RequestTrace? = nil) { (self.number, self.trace) = (number, trace) }

    /// The answer's `X-Request-ID`: what the request came with, or sixteen hexadecimal digits.
    package var text: String { trace?.givenID ?? HTTPRequest.text(ofID: number) }
}
